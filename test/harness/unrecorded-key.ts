import { randomBytes } from "node:crypto";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mintKey } from "@geolookup/auth/signing/signature.ts";
import { newRingText, parseRing } from "@geolookup/auth/signing/signing-ring.ts";
import { tempFolder } from "./temp-folder.ts";

let made: UnrecordedKey | undefined;

export interface UnrecordedKey {
  /** A key that the ring signed, without a record in any deployment of the suites. */
  key: string;
  /** The file of the signing-key ring. */
  ring: string;
}

/** A deployment that starts with this ring accepts the key's signature but doesn't have the key. Created once per run. */
export function unrecordedKey(): UnrecordedKey {
  made ??= createUnrecordedKey();
  return made;
}

/** A copy of the shared ring in a new folder, for a deployment that may change it. */
export function copyOfRing(): string {
  const file = join(tempFolder(), "signing-keys.json");
  copyFileSync(unrecordedKey().ring, file);
  return file;
}

function createUnrecordedKey(): UnrecordedKey {
  const ring = join(tempFolder(), "signing-keys.json");
  const text = newRingText(randomBytes);
  writeFileSync(ring, text, { mode: 0o600 });
  return { key: mintKey("secret", parseRing(text).active, randomBytes), ring };
}
