import type { AuthConfig } from "./config.ts";
import { DEFAULT_PLANS_FILE, readPlans } from "./plans-file.ts";
import { parseRing } from "./signing-ring.ts";
import { readFileAs } from "./watched-file.ts";

/** Reads the plans, and the signing keys if their file is named. @throws StartError when one cannot be used. */
export function checkFiles({ plansFile = DEFAULT_PLANS_FILE, signingKeysFile }: AuthConfig): void {
  readFileAs("plans", plansFile, (text) => readPlans(text, new Map()));
  if (signingKeysFile !== undefined) readFileAs("signing keys", signingKeysFile, parseRing);
}
