import type { AuthConfig } from "./config.ts";
import { DEFAULT_PLANS_FILE, readPlans } from "./files/plans-file.ts";
import { readFileAs } from "./files/watched-file.ts";
import { parseRing } from "./signing/signing-ring.ts";

/** Validates the plans, and the signing keys if their file is set. @throws StartError when a file is invalid. */
export function checkFiles({ plansFile = DEFAULT_PLANS_FILE, signingKeysFile }: AuthConfig): void {
  readFileAs("plans", plansFile, (text) => readPlans(text, new Map()));
  if (signingKeysFile !== undefined) readFileAs("signing keys", signingKeysFile, parseRing);
}
