import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { tempFolder } from "./temp-folder.ts";

/**
 * Packs `@geolookup/server` as for publishing, and installs it with its examples in a new folder.
 * @param frameworks packages that the examples import.
 * @returns the folder, and the files of the package.
 */
export function installServerPackage(frameworks: readonly string[]): { folder: string; files: string[] } {
  const folder = tempFolder();
  const installed = join(folder, "node_modules/@geolookup/server");
  mkdirSync(installed, { recursive: true });
  const args = ["pack", "--workspace", "packages/server", "--json", "--pack-destination", folder];
  const packed = JSON.parse(execFileSync("npm", args, { encoding: "utf8", stdio: "pipe" }));
  // npm 11 prints a list, later versions an object by name.
  const [{ filename, files }] = Object.values(packed) as [{ filename: string; files: { path: string }[] }];
  execFileSync("tar", ["-xzf", join(folder, filename), "--strip-components=1", "-C", installed]);
  for (const framework of frameworks) {
    const link = join(folder, "node_modules", framework);
    mkdirSync(join(link, ".."), { recursive: true });
    symlinkSync(resolve("node_modules", framework), link);
  }
  cpSync("packages/server/examples", folder, { recursive: true });
  return { folder, files: files.map(({ path }) => path) };
}
