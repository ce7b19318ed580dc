import { hash } from "node:crypto";
import type { Plans } from "@geolookup/shared/domain/plans.ts";
import type { SigningRing } from "./signing-ring.ts";

/**
 * Names the rules that authorizations depend on besides the key log: the plans and the signing keys. Nodes with the same
 * files have the same name. When it changes, gateways refresh their cached authorizations.
 * @returns the current name. It doesn't reveal the secrets.
 */
export function createRulesName(ring: () => SigningRing, plans: () => Plans): () => string {
  let named: { ring: SigningRing; plans: Plans; name: string } | null = null;
  return () => {
    if (named?.ring !== ring() || named.plans !== plans())
      named = { ring: ring(), plans: plans(), name: nameOf(ring(), plans()) };
    return named.name;
  };
}

function nameOf(ring: SigningRing, plans: Plans): string {
  const signingKeys = [...ring.byId.values()].map(({ id, secret }) => [id, hash("sha256", secret)]).sort();
  return hash("sha256", JSON.stringify([[...plans].sort(), signingKeys]), "base64url").slice(0, 16);
}
