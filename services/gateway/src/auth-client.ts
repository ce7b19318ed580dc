import type { Authorizer, Grant, KeyCheck, Verdict } from "@geolookup/shared/domain/authorize.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { callUnary, loadService, openClient } from "@geolookup/shared/runtime/grpc-client.ts";
import { createBatcher } from "./batcher.ts";

const DEADLINE_MS = 1_000;
const MAX_BATCH = 512;

interface WireVerdict {
  outcome?: string;
  grant?: Partial<Omit<Grant, "kind" | "fields">> & { kind?: string; fields?: string };
  refusedOrigin?: string;
}

/** An Authorizer over gRPC: one Authorize call an event-loop turn. Rejects with a ServiceError when auth does not answer. */
export function connectAuth(target: string): Authorizer & { close(): void } {
  const client = openClient(loadService("auth/v1/auth.proto", "geolookup.auth.v1.Auth"), target);
  const batcher = createBatcher<KeyCheck, Verdict>({
    maxSize: MAX_BATCH,
    send: async (checks) => {
      const request = {
        checks: checks.map(({ key, origin, referer }) => ({
          key,
          ...(origin === null ? {} : { origin }),
          ...(referer === null ? {} : { referer }),
        })),
      };
      const response = await callUnary<{ verdicts?: WireVerdict[] }>(client, "authorize", request, {
        deadlineMs: DEADLINE_MS,
      });
      return (response.verdicts ?? []).map(fromWire);
    },
  });
  return { authorize: (check) => batcher.add(check), close: () => client.close() };
}

function fromWire({ outcome, grant: wireGrant, refusedOrigin }: WireVerdict): Verdict | Error {
  switch (outcome) {
    case "GRANTED": {
      const grant = grantFromWire(wireGrant);
      return grant instanceof Error ? grant : { outcome: "granted", grant };
    }
    case "ORIGIN_NOT_ALLOWED": {
      const grant = grantFromWire(wireGrant);
      return grant instanceof Error
        ? grant
        : { outcome: "origin_not_allowed", grant, refusedOrigin: refusedOrigin ?? null };
    }
    case "MALFORMED_KEY":
      return { outcome: "malformed_key" };
    case "BAD_SIGNATURE":
      return { outcome: "bad_signature" };
    case "UNKNOWN_KEY":
      return { outcome: "unknown_key" };
    case "REVOKED_KEY":
      return { outcome: "revoked_key" };
    default:
      return new ServiceError("internal", `auth could not judge the key: ${outcome ?? "no outcome"}`);
  }
}

function grantFromWire(wire: WireVerdict["grant"]): Grant | Error {
  if (!wire?.keyId || !wire.plan) return new ServiceError("internal", "auth answered with an incomplete grant");
  return {
    keyId: wire.keyId,
    kind: wire.kind === "SECRET" ? "secret" : "publishable",
    plan: wire.plan,
    fields: wire.fields === "PAID" ? "paid" : "free",
    monthlyRequests: wire.monthlyRequests ?? 0,
    origins: wire.origins ?? [],
    display: wire.display ?? "",
  };
}
