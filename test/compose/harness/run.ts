import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The repository's root, where the commands run. */
export const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));

const TIMEOUT_MS = 600_000;

/** The outcome of a command. */
export interface Finished {
  status: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command from the repository's root. Its environment is PATH, HOME and `environment`.
 * @param timeoutMs after which it is killed.
 */
export function run(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  timeoutMs = TIMEOUT_MS,
): Promise<Finished> {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(command, args, {
    cwd: REPOSITORY,
    env: { PATH, HOME, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: timeoutMs,
  });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, ...output }));
  });
}

/** The same for a command that must succeed. @returns its standard output. @throws Error with its output. */
export async function succeed(...call: Parameters<typeof run>): Promise<string> {
  const { status, stdout, stderr } = await run(...call);
  if (status === 0) return stdout;
  throw new Error(
    `${call[0]} ${call[1].join(" ")} ended with status ${status}:\n${stdout.slice(-4_000)}${stderr.slice(-8_000)}`,
  );
}
