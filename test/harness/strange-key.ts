import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { startStandalone } from "./standalone.ts";
import { tempFolder } from "./temp-folder.ts";

let made: Promise<StrangeKey> | undefined;

export interface StrangeKey {
  /** A key that the ring signed and that no deployment of the suites has a record of. */
  key: string;
  /** The file of the signing-key ring. */
  ring: string;
}

/**
 * Issues a key at a deployment that is stopped at once. A deployment that starts with its ring accepts the signature but
 * doesn't know the key. Made once per run.
 */
export function strangeKey(): Promise<StrangeKey> {
  made ??= issueStrangeKey();
  return made;
}

/** A copy of the shared ring in a folder of its own, for a deployment that may change it. */
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
