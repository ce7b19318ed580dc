import { hash } from "node:crypto";
import type { Authorization, Grant, KeyCheck } from "@geolookup/shared/domain/authorize.ts";
import { parseKey } from "@geolookup/shared/domain/key-shape.ts";
import { maxEntries } from "@geolookup/shared/domain/max-entries.ts";
import { decideOrigin } from "@geolookup/shared/domain/origin.ts";
import type { Plans } from "@geolookup/shared/domain/plans.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { LRUCache } from "lru-cache";
import type { AuthorizationData } from "./keys/key.ts";
import type { KeyRegistry } from "./keys/key-registry.ts";
import { macMatches, type SigningKey } from "./signing/signature.ts";
import type { SigningRing } from "./signing/signing-ring.ts";

/** About 200 bytes each. */
const MAX_VERIFIED = 100_000;

/** A synchronous Authorizer, in memory. */
export interface MemoryAuthorizer {
  /** @throws ServiceError `internal` when the key's plan isn't in the plans file. The gateway returns 500. */
  authorize(check: KeyCheck): Authorization;
}

/**
 * Decides what a key may do. The order of the checks: shape, signature (which doesn't need the registry), known, revoked,
 * origin.
 */
export function createAuthorizer(options: {
  registry: Pick<KeyRegistry, "byDigest">;
  ring: () => SigningRing;
  plans: () => Plans;
}): MemoryAuthorizer {
  const { registry, ring, plans } = options;
  /**
   * Digests of keys with a valid MAC, and the signing key that made it: a MAC costs more than everything else. `peek`
   * doesn't track use, so the oldest entries are evicted first. Tracking costs several random memory accesses per check.
   */
  const verified = new LRUCache<string, SigningKey>(maxEntries(MAX_VERIFIED));
  return {
    authorize: (check) => {
      const digest = keyDigest(check.key);
      const signedBy = verified.peek(digest);
      // A verified key isn't parsed again, unless its signing key was removed or replaced.
      if (signedBy === undefined || ring().byId.get(signedBy.id) !== signedBy) {
        const parsed = parseKey(check.key);
        if (!parsed) return { outcome: "malformed_key" };
        const signingKey = ring().byId.get(parsed.signingKeyId);
        if (!signingKey || !macMatches(parsed, signingKey)) return { outcome: "bad_signature" };
        verified.set(digest, signingKey);
      }
      const key = registry.byDigest(digest);
      if (!key) return { outcome: "unknown_key" };
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
