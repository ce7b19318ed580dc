import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { startStandalone } from "./standalone.ts";
import { tempFolder } from "./temp-folder.ts";

let made: Promise<StrangeKey> | undefined;

export interface StrangeKey {
  /** A key that the ring signed, without a record in any deployment of the suites. */
  key: string;
  /** The file of the signing-key ring. */
  ring: string;
}

/**
 * Issues a key at a deployment that is then stopped. A deployment that starts with its ring accepts the signature but
 * doesn't have the key. Created once per run.
 */
export function strangeKey(): Promise<StrangeKey> {
  made ??= issueStrangeKey();
  return made;
}

/** A copy of the shared ring in a new folder, for a deployment that may change it. */
export async function copyOfRing(): Promise<string> {
  const file = join(tempFolder(), "signing-keys.json");
  copyFileSync((await strangeKey()).ring, file);
  return file;
}

async function issueStrangeKey(): Promise<StrangeKey> {
  const ring = join(tempFolder(), "signing-keys.json");
  const deployment = await startStandalone({ SIGNING_KEYS_FILE: ring });
  const { key } = await deployment.issueKey({ kind: "secret", plan: "paid" });
  await deployment.stop();
  return { key, ring };
}
