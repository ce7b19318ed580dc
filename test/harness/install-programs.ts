import { execFileSync } from "node:child_process";
import { resolve } from "node:path";

const SCRIPT = resolve("tools/install-test-servers.sh");

/**
 * Installs the programs and libraries that a suite needs and that are missing, so that the suite also runs alone.
 * @param names as for `tools/install-test-servers.sh`.
 * @throws Error that names what is missing if it can't be installed, such as without root.
 */
export function installPrograms(...names: readonly string[]): void {
  try {
    execFileSync(SCRIPT, names, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(stderr || message, { cause: error });
  }
}
