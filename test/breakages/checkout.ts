import { copyFileSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { repositoryFiles } from "../compose/harness/checkout.ts";
import { REPOSITORY } from "../compose/harness/run.ts";
import { tempFolder } from "../harness/temp-folder.ts";

/** The workspaces' own packages in node_modules. */
const SCOPE = "@geolookup";
/** Test data beside the repository. */
const SHARED = "../shared";

/**
 * Copies the working tree to a temporary folder, so that breakages never touch the original. Packages and test data are
 * linked; the workspaces' own packages are linked to the copy.
 */
export async function copyOfRepository(): Promise<string> {
  const copy = join(tempFolder(), "repository");
  for (const path of await repositoryFiles()) {
    mkdirSync(join(copy, dirname(path)), { recursive: true });
    copyFileSync(join(REPOSITORY, path), join(copy, path));
  }
  symlinkSync(join(REPOSITORY, SHARED), join(copy, SHARED));
  mkdirSync(join(copy, "node_modules", SCOPE), { recursive: true });
  for (const name of readdirSync(join(REPOSITORY, "node_modules")))
    if (name !== SCOPE && name !== ".cache")
      symlinkSync(join(REPOSITORY, "node_modules", name), join(copy, "node_modules", name));
  for (const group of ["services", "packages"])
    for (const name of readdirSync(join(copy, group)))
      symlinkSync(join("../..", group, name), join(copy, "node_modules", SCOPE, name));
  return copy;
}
