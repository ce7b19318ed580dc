import { hash } from "node:crypto";
import type { Authorization, Grant, KeyCheck } from "@geolookup/shared/domain/authorize.ts";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { parseKey } from "@geolookup/shared/domain/key-shape.ts";
import { decideOrigin } from "@geolookup/shared/domain/origin.ts";
import type { Plans } from "@geolookup/shared/domain/plans.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { Customer } from "./keys/customer.ts";
import { endOf, futureEndOf, type IssuedKey, quotasOf } from "./keys/issued-key.ts";
import type { KeyRegistry } from "./keys/key-registry.ts";
import { macMatches } from "./signing/signature.ts";
import type { SigningRing } from "./signing/signing-ring.ts";

/** A synchronous Authorizer, in memory. */
export interface MemoryAuthorizer {
  /** @throws ServiceError `internal` when the key's plan isn't in the plans file. The gateway returns 500. */
  authorize(check: KeyCheck): Authorization;
}

/**
 * Decides what a key may do. The order of the checks: shape, signature, known, revoked, active, origin.
 * @param options.keepsGrants whether the grant of a valid key is kept until it ends, or the key, a customer, the plans or the signing keys
 *   change. It takes about 160 bytes per key. Checking a signature and making a grant cost more than all other checks, but gateways of a cluster cache
 *   authorizations themselves, so auth is rarely asked about the same key again.
 * @param options.signedBy called with the signing key of each valid key.
 */
export function createAuthorizer(options: {
  registry: Pick<KeyRegistry, "bySha256" | "customer" | "customerChanges">;
  clock: Clock;
  ring: () => SigningRing;
  plans: () => Plans;
  keepsGrants?: boolean;
  signedBy?: (signingKeyId: string) => void;
}): MemoryAuthorizer {
  const { registry, clock, keepsGrants = false, signedBy = () => undefined } = options;
  let plans = options.plans();
  let ring = options.ring();
  let customerChanges = registry.customerChanges();

  /** A changed key is another object, which has no grant yet. */
  let grants = new WeakMap<IssuedKey, Grant>();

  const dropOutdatedGrants = () => {
    const isCurrent = plans === options.plans() && ring === options.ring();
    if (isCurrent && customerChanges === registry.customerChanges()) return;
    plans = options.plans();
    ring = options.ring();
    customerChanges = registry.customerChanges();
    grants = new WeakMap();
  };
  const identify = (keyText: string, key: IssuedKey | undefined): Grant | Authorization => {
    const parsed = parseKey(keyText);
    if (!parsed) return { outcome: "malformed_key" };
    const signingKey = ring.byId.get(parsed.signingKeyId);
    if (!signingKey || !macMatches(parsed, signingKey)) return { outcome: "bad_signature" };
    if (!key) return { outcome: "unknown_key" };
    signedBy(signingKey.id);
    if (key.status === "revoked") return { outcome: "revoked_key", keyId: key.keyId };
    const nowMs = clock();
    const end = endOf(key, key.customer === undefined ? undefined : registry.customer(key.customer), nowMs);
    const grant = grantOf(key, { plans, customer: registry.customer, nowMs });
    if (end) {
      grant.ends = { atMs: Date.parse(end.at), how: end.how };
      return { outcome: "unknown_key", end, grant };
    }
    if (keepsGrants) grants.set(key, grant);
    return grant;
  };
  return {
    authorize: (check) => {
      dropOutdatedGrants();
      const key = registry.bySha256(sha256Of(check.key));
      let grant: Grant | Authorization | undefined = key && grants.get(key);
      if (!grant || (grant.ends !== undefined && grant.ends.atMs <= clock())) grant = identify(check.key, key);
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

function grantOf(
  key: IssuedKey,
  context: { plans: Plans; customer: (id: string) => Customer | undefined; nowMs: number },
): Grant {
  const plan = context.plans.get(key.plan);
  if (!plan)
    throw new ServiceError("internal", `key ${key.keyId} has the plan ${key.plan}, which isn't in the plans file`);
  const { keyId, kind, origins, display } = key;
  const { fields, monthlyRequests, limits } = plan;
  const grant: Grant = { keyId, kind, plan: key.plan, fields, monthlyRequests, origins, display, counts: undefined };
  if (limits) grant.limits = limits;
  if (key.mayForward) grant.mayForward = true;
  if (key.customer !== undefined) grant.customer = key.customer;
  const { quota, nextQuota } = quotasOf(key, context);
  if (quota.id !== keyId) grant.quota = quota;
  if (nextQuota) grant.nextQuota = nextQuota;
  const end = futureEndOf(key);
  if (end) grant.ends = { atMs: Date.parse(end.at), how: end.how };
  return grant;
}
