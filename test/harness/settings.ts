import { writeWorld } from "../fixtures/databases.ts";
import { writePlans } from "../fixtures/plans.ts";
import { testAuthority } from "./certificates.ts";
import type { Settings } from "./deployment.ts";
import { tempFolder } from "./temp-folder.ts";

let shared: Settings | undefined;

/** SECURE=on runs the suites with TLS on every public port, and on NATS and Redis if the test starts these itself. */
export const IS_SECURE = process.env.SECURE === "on";

/** Enables TLS on the public ports. */
export function tlsSettings(): Settings {
  const { certFile, keyFile } = testAuthority().issue();
  return { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile };
}

/** The base settings of the suites' deployments: fixture databases and plans, and free ports. */
export function baseSettings(): Settings {
  if (!shared) {
    const folder = tempFolder();
    shared = {
      HOST: "127.0.0.1",
      PORT: "0",
      OPS_PORT: "0",
      XDG_STATE_HOME: folder,
      TRUST_PROXY: "loopback",
      LOG_LEVEL: "info",
      GEO_DATABASES: writeWorld(folder),
      // Suites that use installed data don't download any.
      GEO_DATA_REFRESH: "off",
      PLANS_FILE: writePlans(folder),
      SECURITY_CONTACT: "security@example.com",
      ...(IS_SECURE ? tlsSettings() : {}),
    };
  }
  return shared;
}
