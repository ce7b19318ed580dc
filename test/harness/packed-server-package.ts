import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { tempFolder } from "./temp-folder.ts";

/** Next to their tests, with their own lockfile, so that `npm ci` in the root stays fast. */
const FRAMEWORKS = resolve("test/full/back-ends");

/**
 * Packs `@geolookup/server` as if to publish it, and installs it with its examples in a new folder.
 * @param installed packages of the repository to link into the folder, such as frameworks.
 * @returns the folder, and the files of the package.
 */
export function installServerPackage(installed: readonly string[]): { folder: string; files: string[] } {
  const folder = tempFolder();
  for (const name of installed) {
    const link = join(folder, "node_modules", name);
    mkdirSync(join(link, ".."), { recursive: true });
    symlinkSync(resolve("node_modules", name), link);
  }
  return { folder, files: addServerPackage(folder) };
}

let withFrameworks: string | undefined;

/** Like installServerPackage, with all frameworks from the npm registry. Suites share the folder. */
export function installFrameworks(): string {
  if (withFrameworks) return withFrameworks;
  const folder = tempFolder();
  cpSync(FRAMEWORKS, folder, { recursive: true });
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, stdio: "pipe" });
  addServerPackage(folder);
  withFrameworks = folder;
  return folder;
}

/** @returns the files of the package. */
function addServerPackage(folder: string): string[] {
  const installed = join(folder, "node_modules/@geolookup/server");
  mkdirSync(installed, { recursive: true });
  const args = ["pack", "--workspace", "packages/server", "--json", "--pack-destination", folder];
  const packed = JSON.parse(execFileSync("npm", args, { encoding: "utf8", stdio: "pipe" }));
  // npm 11 prints a list, later versions an object by name.
  const [{ filename, files }] = Object.values(packed) as [{ filename: string; files: { path: string }[] }];
  execFileSync("tar", ["-xzf", join(folder, filename), "--strip-components=1", "-C", installed]);
  cpSync("packages/server/examples", folder, { recursive: true });
  return files.map(({ path }) => path);
}
