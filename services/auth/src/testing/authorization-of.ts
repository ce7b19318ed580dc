import type { AuthorizationData } from "../keys/key.ts";
import type { KeyRegistry } from "../keys/key-registry.ts";

/** @param digest the SHA-256 of a key, one character per byte (latin1). */
export function authorizationOf(registry: KeyRegistry, digest: string): AuthorizationData | undefined {
  const { rowOfDigest, authorizationData } = registry.keysToAuthorize();
  const row = rowOfDigest(digest);
  return row === undefined ? undefined : authorizationData(row);
}
