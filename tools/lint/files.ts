import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** The root of the repository. */
export const ROOT = join(import.meta.dirname, "../..");

/**
 * Lists the files of the repository: committed ones and new ones, not ignored ones.
 * @param patterns what to list, as Git understands it.
 * @returns paths below the root, sorted.
 */
export function listFiles(...patterns: readonly string[]): string[] {
  const list = ["ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "-z", "--", ...patterns];
  const deleted = new Set(split(git("ls-files", "--deleted", "-z")));
  return split(git(...list)).filter((file) => !deleted.has(file));
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
}

function split(output: string): string[] {
  return output.split("\0").filter((path) => path !== "");
}
