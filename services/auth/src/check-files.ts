import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkFolder } from "@geolookup/shared/runtime/files/folder-lock.ts";
import { checkInternalFiles } from "@geolookup/shared/runtime/tls/internal-files.ts";
import type { AuthConfig } from "./config.ts";
import { readFileAs } from "./files/watched-file.ts";
import { DEFAULT_PLANS_FILE, readPlans } from "./plans/plans-file.ts";
import { signingKeysFileIn } from "./signing/signing-keys.ts";
import { parseRing } from "./signing/signing-ring.ts";

/** Validates the plans, the signing keys and the files of internal TLS. @throws StartError when a file is invalid. */
export function checkFiles(config: AuthConfig): void {
  checkInternalFiles(config.internalTls, "auth");
  if (config.stores === "embedded") checkEmbeddedFiles(config);
  else {
    checkPlans(config);
    readFileAs("signing keys", config.signingKeysFile ?? "", parseRing);
  }
}

/** The same for `openAuth`, which creates missing signing keys unless keys were issued. @throws StartError */
export function checkEmbeddedFiles(config: Pick<AuthConfig, "dataDir" | "plansFile" | "signingKeysFile">): void {
  const { dataDir, signingKeysFile = signingKeysFileIn(dataDir) } = config;
  for (const folder of ["keys", "plans"]) checkFolder(join(dataDir, folder));
  checkPlans(config);
  if (existsSync(signingKeysFile)) readFileAs("signing keys", signingKeysFile, parseRing);
}

function checkPlans({ plansFile = DEFAULT_PLANS_FILE }: Pick<AuthConfig, "plansFile">): void {
  readFileAs("plans", plansFile, (text) => readPlans(text, new Map()));
}
