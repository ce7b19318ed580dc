import { writeWorld } from "../fixtures/databases.ts";
import { writePlans } from "../fixtures/plans.ts";
import type { Settings } from "./deployment.ts";
import { tempFolder } from "./temp-folder.ts";

let shared: Settings | undefined;

/** What every deployment of the suites starts from: the fixtures' world, their plans, ports of the system's choice. */
export function baseSettings(): Settings {
  if (!shared) {
    const folder = tempFolder();
    shared = {
      HOST: "127.0.0.1",
      PORT: "0",
      OPS_PORT: "0",
      TRUST_PROXY: "loopback",
      LOG_LEVEL: "info",
      GEO_DATABASES: writeWorld(folder),
      PLANS_FILE: writePlans(folder),
    };
  }
  return shared;
}
