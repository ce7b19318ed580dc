import { spawn } from "node:child_process";
import { once } from "node:events";
import { waitFor } from "./wait-for.ts";

const START_TIMEOUT_MS = 20_000;

/**
 * Starts a server from PATH, which is a Debian package of the same name, and waits until it is ready.
 * @param environment default: this process's own.
 * @returns a function that stops it.
 * @throws Error with its output if it doesn't start.
 */
export async function startDebianServer(options: {
  program: string;
  args: readonly string[];
  environment?: Readonly<Record<string, string>>;
  isReady: () => Promise<boolean>;
}): Promise<(signal: NodeJS.Signals) => Promise<void>> {
  const { program, args, environment, isReady } = options;
  const child = spawn(program, args, { env: environment ?? process.env, stdio: ["ignore", "pipe", "pipe"] });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  let output = "";
  let ended = false;
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  child.once("error", (error) => {
    output += `${error.message}; on Debian: apt-get install ${program}`;
    ended = true;
  });
  child.once("close", () => {
    ended = true;
    process.off("exit", kill);
  });
  await waitFor(program, async () => ended || (await isReady()), START_TIMEOUT_MS);
  if (ended) throw new Error(`${program} did not start: ${output}`);
  return async (signal) => {
    if (ended) return;
    const closed = once(child, "close");
    child.kill(signal);
    await closed;
  };
}
