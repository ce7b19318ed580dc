import { hash } from "node:crypto";
import type { Authorization, Grant, KeyCheck } from "@geolookup/shared/domain/authorize.ts";
import { parseKey } from "@geolookup/shared/domain/key-shape.ts";
import { decideOrigin } from "@geolookup/shared/domain/origin.ts";
import type { Plans } from "@geolookup/shared/domain/plans.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { IssuedKey } from "./keys/issued-key.ts";
import type { KeyRegistry } from "./keys/key-registry.ts";
import { macMatches } from "./signing/signature.ts";
import type { SigningRing } from "./signing/signing-ring.ts";

/** A synchronous Authorizer, in memory. */
export interface MemoryAuthorizer {
  /** @throws ServiceError `internal` when the key's plan isn't in the plans file. The gateway returns 500. */
  authorize(check: KeyCheck): Authorization;
}

/**
 * Decides what a key may do. The order of the checks: shape, signature, known, revoked, origin.
 * @param options.keepsGrants whether the grant of a valid key is kept until the key, the plans or the signing keys change. It takes
 *   about 160 bytes per key. Checking a signature and making a grant cost more than all other checks, but gateways of a cluster cache
 *   authorizations themselves, so auth is rarely asked about the same key again.
 * @param options.signedBy called with the signing key of each valid key.
 */
export function createAuthorizer(options: {
  registry: Pick<KeyRegistry, "bySha256">;
  ring: () => SigningRing;
  plans: () => Plans;
  keepsGrants?: boolean;
  signedBy?: (signingKeyId: string) => void;
}): MemoryAuthorizer {
  const { registry, keepsGrants = false, signedBy = () => undefined } = options;
  let plans = options.plans();
  let ring = options.ring();

  /** A changed key is another object, which has no grant yet. */
  let grants = new WeakMap<IssuedKey, Grant>();

  const dropOutdatedGrants = () => {
    if (plans === options.plans() && ring === options.ring()) return;
    plans = options.plans();
    ring = options.ring();
    grants = new WeakMap();
  };
  const identify = (keyText: string, key: IssuedKey | undefined): Grant | Authorization => {
    const parsed = parseKey(keyText);
    if (!parsed) return { outcome: "malformed_key" };
    const signingKey = ring.byId.get(parsed.signingKeyId);
    if (!signingKey || !macMatches(parsed, signingKey)) return { outcome: "bad_signature" };
    if (!key) return { outcome: "unknown_key" };
    signedBy(signingKey.id);
    if (key.status === "revoked") return { outcome: "revoked_key" };
    const grant = grantOf(key, plans);
    if (keepsGrants) grants.set(key, grant);
    return grant;
  };
  return {
    authorize: (check) => {
      dropOutdatedGrants();
      const key = registry.bySha256(sha256Of(check.key));
      const grant = (key && grants.get(key)) ?? identify(check.key, key);
      if ("outcome" in grant) return grant;
      const { kind, origins } = grant;
      const decision = decideOrigin({ kind, origins, origin: check.origin, referer: check.referer });
      if (decision.allowed) return { outcome: "granted", grant };
      return { outcome: "origin_not_allowed", grant, refusedOrigin: decision.refusedOrigin };
    },
  };
}

/** The SHA-256 of a key, hexadecimal. */
export function sha256Of(key: string): string {
  return hash("sha256", key, "hex");
}

function grantOf(key: IssuedKey, plans: Plans): Grant {
  const plan = plans.get(key.plan);
  if (!plan)
    throw new ServiceError("internal", `key ${key.keyId} has the plan ${key.plan}, which isn't in the plans file`);
  const { keyId, kind, origins, display } = key;
  const { fields, monthlyRequests, limits } = plan;
  const grant: Grant = { keyId, kind, plan: key.plan, fields, monthlyRequests, origins, display, counts: undefined };
  if (limits) grant.limits = limits;
  if (key.mayForward) grant.mayForward = true;
  return grant;
}
