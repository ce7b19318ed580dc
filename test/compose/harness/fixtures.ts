import { chmodSync } from "node:fs";
import { basename } from "node:path";
import { writeWorld } from "../../fixtures/databases.ts";
import { writePlans } from "../../fixtures/plans.ts";
import { tempFolder } from "../../harness/temp-folder.ts";

/** Options for a cluster with fixtures: known places, small plans, the suite as a trusted proxy, and no downloads. */
export function fixtureOptions(settings: Readonly<Record<string, string>> = {}) {
  const folder = tempFolder();
  // The containers' user must be able to read it.
  chmodSync(folder, 0o755);
  const databases = writeWorld(folder)
    .split(",")
    .map((path) => `/world/${basename(path)}`);
  return {
    settings: {
      WORLD: folder,
      GEO_DATABASES: databases.join(","),
      PLANS_DIR: folder,
      PLANS_FILE: basename(writePlans(folder)),
      SECURITY_CONTACT: "security@example.com",
      ...settings,
    },
    overrides: ["test/compose/fixtures.yml", "test/compose/trust-hop.yml"],
  };
}
