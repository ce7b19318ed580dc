import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const program of running) program.kill("SIGKILL");
});

/**
 * Starts a server that prints its address.
 * @param options.env its environment, beside PATH.
 * @returns the address without a path, and a function that kills the server.
 * @throws Error if it ends first.
 */
export async function startProgram(
  program: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string>> },
): Promise<{ url: string; kill: () => void }> {
  const { PATH = "" } = process.env;
  const child = spawn(program, args, { cwd, env: { PATH, ...env }, stdio: ["ignore", "pipe", "inherit"] });
  running.add(child);
  child.once("close", () => running.delete(child));
  for await (const line of createInterface(child.stdout)) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stdout.resume();
    return { url, kill: () => child.kill("SIGKILL") };
  }
  throw new Error(`${program} ${args.join(" ")} ended without printing its address`);
}
