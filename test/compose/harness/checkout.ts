import { copyFileSync, mkdirSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { tempFolder } from "../../harness/temp-folder.ts";
import { REPOSITORY, succeed } from "./run.ts";

/** The repository's files that git tracks or would add, without secrets and installed packages. */
export async function repositoryFiles(): Promise<string[]> {
  const listed = await succeed("git", [
    "ls-files",
    "--cached",
    "--others",
    "--exclude-standard",
    "--deduplicate",
    "-z",
  ]);
  const deleted = await succeed("git", ["ls-files", "--deleted", "-z"]);
  const gone = new Set(deleted.split("\0"));
  return listed.split("\0").filter((path) => path !== "" && !gone.has(path));
}

/**
 * Copies the repository into a new folder, as a checkout on another machine would: with other permissions and times.
 * @param options.umask removed from the permissions.
 */
export async function checkOut({ umask, mtimeSeconds }: { umask: number; mtimeSeconds: number }): Promise<string> {
  const folder = tempFolder();
  for (const path of await repositoryFiles()) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true, mode: 0o777 & ~umask });
    copyFileSync(join(REPOSITORY, path), target);
    utimesSync(target, mtimeSeconds, mtimeSeconds);
  }
  await succeed("chmod", ["-R", `u=rwX,g=${umask & 0o070 ? "" : "rwX"},o=${umask & 0o007 ? "" : "rX"}`, folder]);
  return folder;
}
