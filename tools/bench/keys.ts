import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { issueKey } from "../../scripts/keys/admin-client.ts";
import type { ServiceAddress } from "../../scripts/keys/service-address.ts";

/** The number of active keys of a typical installation. */
const KEYS = 10;
/** A quota that no bench uses up. */
const PLANS = { bench: { fields: "paid", monthlyRequests: 1_000_000_000 } };

/** Writes the plans file of the services. @returns its path. */
export function writePlans(folder: string): string {
  const path = join(folder, "plans.json");
  writeFileSync(path, JSON.stringify(PLANS));
  return path;
}

/** Issues keys at a running service. */
export async function issueKeys(auth: ServiceAddress): Promise<string[]> {
  const keys: string[] = [];
  while (keys.length < KEYS) keys.push((await issueKey(auth, { kind: "secret", plan: "bench" })).secret);
  return keys;
}
