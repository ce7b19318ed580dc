import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { tempFolder } from "../../harness/temp-folder.ts";
import { repositoryFiles } from "./checkout.ts";
import { REPOSITORY, run, succeed } from "./run.ts";

/** The last commit before services had NATS accounts of their own. */
const VERSION_BEFORE = "93a7145ca77d";

/** A checkout that an operator switches from one version to another in place, as with `git pull`. */
export interface Versions {
  folder: string;
  /** Checks out the version before, or these files. */
  switchTo(version: "before" | "this"): Promise<void>;
}

/** @throws Error if the repository lacks the history. */
export async function cloneVersions(): Promise<Versions> {
  const folder = tempFolder();
  const git = (...args: string[]) => succeed("git", ["-C", folder, ...args]);
  if ((await run("git", ["cat-file", "-e", `${VERSION_BEFORE}^{commit}`])).status !== 0)
    throw new Error(`the history lacks ${VERSION_BEFORE}, from which this suite upgrades: run git fetch --unshallow`);
  await succeed("git", ["clone", "--quiet", "--shared", "--no-checkout", REPOSITORY, folder]);
  await git("checkout", "--quiet", "-B", "this");
  for (const path of (await git("ls-files")).split("\n").filter(Boolean)) rmSync(join(folder, path));
  for (const path of await repositoryFiles()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(join(REPOSITORY, path), join(folder, path));
  }
  await git("add", "--all");
  await git(
    "-c",
    "user.name=test",
    "-c",
    "user.email=test@example.com",
    "commit",
    "--quiet",
    "--allow-empty",
    "-m",
    "this",
  );
  await git("branch", "--quiet", "before", VERSION_BEFORE);
  return { folder, switchTo: async (version) => void (await git("checkout", "--quiet", version)) };
}
