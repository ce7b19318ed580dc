import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { mintKey } from "@geolookup/auth/signing/signature.ts";
import { parseRing } from "@geolookup/auth/signing/signing-ring.ts";
import { KEY_ADMIN } from "@geolookup/shared/runtime/grpc/services.ts";
import { callService, issueKey } from "../keys/admin-client.ts";
import type { ServiceAddress } from "../keys/service-address.ts";

/** A point that can't be tested here; the message says why. */
export class Skipped extends Error {
  override readonly name = "Skipped";
}

/** The origin on the allowlist of the restricted key. */
export const ALLOWED_ORIGIN = "https://smoke.example.com";

/** Keys for the points. Each throws Skipped if the key is missing, and says what to pass. */
export interface SmokeKeys {
  /** Secret, of a plan with paid fields. */
  paid(): string;
  /** Publishable, of a plan with free fields. */
  free(): string;
  /** Publishable, for ALLOWED_ORIGIN only. */
  restricted(): string;
  revoked(): string;
  /** Of a plan with few requests a month. */
  small(): string;
  /** Signed by the service, but never issued. */
  unknown(): string;
}

/** Keys that the operator provides. */
export interface GivenKeys {
  paid?: string | undefined;
  free?: string | undefined;
}

export interface PlanNames {
  paid: string;
  free: string;
  /** Null if no small plan was named. */
  small: string | null;
}

type Kind = keyof Omit<SmokeKeys, "unknown">;

/**
 * Issues temporary keys, all with the label "smoke test".
 * @returns the keys, and a function that revokes those that aren't revoked yet.
 * @throws ServiceError, e.g. for an unknown plan, after revoking what was issued.
 */
export async function issueKeys(admin: ServiceAddress, plans: PlanNames) {
  const issued = new Map<Kind, { secret: string; keyId: string }>();
  const revoke = async (kind: Kind, reason: string) => {
    const { keyId } = issued.get(kind) ?? {};
    if (keyId !== undefined) await callService(admin, KEY_ADMIN.RevokeKey, { keyId, reason });
  };
  const revokeAll = async () => {
    for (const kind of issued.keys()) if (kind !== "revoked") await revoke(kind, "end of the smoke test");
  };
  const wanted: [Kind, string, string | null, string[]][] = [
    ["paid", "secret", plans.paid, []],
    ["free", "publishable", plans.free, []],
    ["restricted", "publishable", plans.free, [ALLOWED_ORIGIN]],
    ["revoked", "secret", plans.free, []],
    ["small", "secret", plans.small, []],
  ];
  try {
    for (const [kind, keyKind, plan, origins] of wanted) {
      if (plan === null) continue;
      const request = { kind: keyKind, plan, label: "smoke test", origins };
      const { secret, key } = await issueKey(admin, request);
      issued.set(kind, { secret, keyId: key.keyId });
    }
    await revoke("revoked", "smoke test");
  } catch (error) {
    await revokeAll();
    throw error;
  }
  return { issued: new Map([...issued].map(([kind, { secret }]) => [kind, secret])), revokeAll };
}

/** @param ringFile the service's signing keys, if they are available. */
export function smokeKeys(issued: ReadonlyMap<Kind, string>, given: GivenKeys, ringFile?: string): SmokeKeys {
  const need = (kind: Kind, key: string | undefined, missing: string) => () => {
    const found = issued.get(kind) ?? key;
    if (found === undefined) throw new Skipped(missing);
    return found;
  };
  const needsAdmin = "needs AUTH_URL and ADMIN_TOKEN, to issue a key";
  return {
    paid: need(
      "paid",
      given.paid,
      "needs --keys FILE with a key of a plan with paid fields, or AUTH_URL and ADMIN_TOKEN",
    ),
    free: need(
      "free",
      given.free,
      "needs --keys FILE with a key of a plan with free fields, or AUTH_URL and ADMIN_TOKEN",
    ),
    restricted: need("restricted", undefined, needsAdmin),
    revoked: need("revoked", undefined, needsAdmin),
    small: need("small", undefined, "needs --small-plan NAME, a plan with at most 100 requests a month"),
    unknown() {
      if (ringFile === undefined) throw new Skipped("needs SIGNING_KEYS_FILE, to sign a key that was never issued");
      return mintKey("secret", parseRing(readFileSync(ringFile, "utf8")).active, randomBytes);
    },
  };
}
