import { checkInternalFiles } from "@geolookup/shared/runtime/tls/internal-files.ts";
import type { AuthConfig } from "./config.ts";
import { DEFAULT_PLANS_FILE, readPlans } from "./files/plans-file.ts";
import { readFileAs } from "./files/watched-file.ts";
import { parseRing } from "./signing/signing-ring.ts";

/** Validates the plans, and if they are set, the signing keys and the files of internal TLS. @throws StartError when a file is invalid. */
export function checkFiles({ plansFile = DEFAULT_PLANS_FILE, signingKeysFile, internalTls }: AuthConfig): void {
  checkInternalFiles(internalTls, "auth");
  readFileAs("plans", plansFile, (text) => readPlans(text, new Map()));
  if (signingKeysFile !== undefined) readFileAs("signing keys", signingKeysFile, parseRing);
}
