import { hash } from "node:crypto";
import type { Authorization, Grant, KeyCheck } from "@geolookup/shared/domain/authorize.ts";
import { parseKey } from "@geolookup/shared/domain/key-shape.ts";
import { decideOrigin } from "@geolookup/shared/domain/origin.ts";
import type { Plans } from "@geolookup/shared/domain/plans.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { AuthorizationData } from "./keys/key.ts";
import type { KeyRegistry } from "./keys/key-registry.ts";
import { macMatches, type SigningKey } from "./signing/signature.ts";
import type { SigningRing } from "./signing/signing-ring.ts";

/** The greatest number that fits into a row's mark: 16 bits. */
const MAX_SIGNER = 65_535;

/** A synchronous Authorizer, in memory. */
export interface MemoryAuthorizer {
  /** @throws ServiceError `internal` when the key's plan isn't in the plans file. The gateway returns 500. */
  authorize(check: KeyCheck): Authorization;
}

/**
 * Decides what a key may do. The order of the checks: shape, signature, known, revoked, origin.
 */
export function createAuthorizer(options: {
  registry: Pick<KeyRegistry, "keysToAuthorize">;
  ring: () => SigningRing;
  plans: () => Plans;
}): MemoryAuthorizer {
  const { registry, ring, plans } = options;
  /**
   * Signing keys by number, from 1. A key's mark is the number of the signing key that verified its MAC, which costs more than all other
   * checks; 0: not verified yet. Never shrinks, since marks refer to these numbers: rings rarely change.
   */
  const signers: (SigningKey | undefined)[] = [undefined];
  const signerNumber = (signingKey: SigningKey): number => {
    const known = signers.lastIndexOf(signingKey);
    if (known > 0) return known;
    return signers.length > MAX_SIGNER ? 0 : signers.push(signingKey) - 1;
  };
  return {
    authorize: (check) => {
      const digest = keyDigest(check.key);
      const { rowOfDigest, authorizationData, marks } = registry.keysToAuthorize();
      const row = rowOfDigest(digest);
      const signedBy = row === undefined ? undefined : signers[marks.get(row)];
      // A verified key isn't parsed again, unless its signing key was removed or replaced.
      if (signedBy === undefined || ring().byId.get(signedBy.id) !== signedBy) {
        const parsed = parseKey(check.key);
        if (!parsed) return { outcome: "malformed_key" };
        const signingKey = ring().byId.get(parsed.signingKeyId);
        if (!signingKey || !macMatches(parsed, signingKey)) return { outcome: "bad_signature" };
        if (row !== undefined) marks.set(row, signerNumber(signingKey));
      }
      if (row === undefined) return { outcome: "unknown_key" };
      const key = authorizationData(row);
      if (key.status === "revoked") return { outcome: "revoked_key" };
      const grant = grantOf(key, plans());
      const { kind, origins } = grant;
      const decision = decideOrigin({ kind, origins, origin: check.origin, referer: check.referer });
      if (decision.allowed) return { outcome: "granted", grant };
      return { outcome: "origin_not_allowed", grant, refusedOrigin: decision.refusedOrigin };
    },
  };
}

/** The SHA-256 of a key, one character per byte (latin1). */
export function keyDigest(key: string): string {
  return hash("sha256", key, "binary");
}

function grantOf(key: AuthorizationData, plans: Plans): Grant {
  const plan = plans.get(key.plan);
  if (!plan)
    throw new ServiceError("internal", `key ${key.keyId} has the plan ${key.plan}, which isn't in the plans file`);
  const { keyId, kind, origins, display } = key;
  const { fields, monthlyRequests, limits } = plan;
  const grant: Grant = { keyId, kind, plan: key.plan, fields, monthlyRequests, origins, display };
  if (limits) grant.limits = limits;
  if (key.mayForward) grant.mayForward = true;
  return grant;
}
