import type { KeyEvent } from "@geolookup/shared/domain/key-event.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { loadService } from "@geolookup/shared/runtime/grpc/client.ts";
import { limitsToWire } from "@geolookup/shared/runtime/grpc/plan-limits-wire.ts";
import type { ServedService } from "@geolookup/shared/runtime/grpc/server.ts";
import type { IssuedKey } from "../keys/key.ts";
import type { KeyAdmin, ListRequest } from "../keys/key-admin.ts";

/** Who did it, in the history of keys changed over gRPC. */
const BY = "admin";

const DEFAULT_PAGE_SIZE = 100;
const MOST_PAGE_SIZE = 1_000;

/** Twice what 100 of the longest origins take, 400 characters each and up to three bytes a character. */
const MAX_REQUEST_BYTES = 256 * 1_024;

/** A request as proto-loader gives it: unset fields are absent, repeated ones arrays. */
interface Request {
  keyId?: string;
  kind?: string;
  plan?: string;
  label?: string;
  reason?: string;
  origins: string[];
  expectedVersion?: number;
  search?: string;
  status?: string;
  pageSize?: number;
  pageToken?: string;
}

/** Serves proto auth/v1 KeyAdmin to who has the admin token. */
export function keyAdminService(admin: KeyAdmin, adminToken: string): ServedService {
  const keyToWire = (key: IssuedKey): object => {
    const limits = admin.limitsOf(key.plan);
    return { ...key, kind: key.kind.toUpperCase(), ...(limits && { limits: limitsToWire(limits) }) };
  };
  const handlers: Record<string, (request: Request) => unknown> = {
    issueKey: async ({ kind, plan = "", label = "", origins }) => {
      const issued = await admin.issue({ kind: kindOf(kind), plan, label, origins }, BY);
      return { secret: issued.secret, key: keyToWire(issued.key) };
    },
    listKeys: (request) => {
      const { keys, lastKeyId } = admin.list(listRequest(request));
      return { keys: keys.map(keyToWire), nextPageToken: lastKeyId ?? "" };
    },
    getKey: ({ keyId = "" }) => keyToWire(admin.get(keyId)),
    revokeKey: async ({ keyId = "", reason = "" }) => keyToWire(await admin.revoke(keyId, reason, BY)),
    setPlan: async ({ keyId = "", plan = "", expectedVersion }) =>
      keyToWire(await admin.setPlan(keyId, plan, BY, expectedVersion || null)),
    setOrigins: async ({ keyId = "", origins, expectedVersion }) =>
      keyToWire(await admin.setOrigins(keyId, origins, BY, expectedVersion || null)),
    setLabel: async ({ keyId = "", label = "", expectedVersion }) =>
      keyToWire(await admin.setLabel(keyId, label, BY, expectedVersion || null)),
    getHistory: async ({ keyId = "" }) => ({ events: (await admin.history(keyId)).map(eventToWire) }),
  };
  const { service: definition } = loadService("auth/v1/auth.proto", "geolookup.auth.v1.KeyAdmin");
  return { definition, handlers, adminToken, maxRequestBytes: MAX_REQUEST_BYTES };
}

/** Unset fields are absent, so that they match every key. */
function listRequest({ search, kind, plan, status, pageSize, pageToken }: Request): ListRequest {
  return {
    ...(search && { search }),
    ...(kind && kind !== "KEY_KIND_UNSPECIFIED" && { kind: kindOf(kind) }),
    ...(plan && { plan }),
    ...(status && { status: statusOf(status) }),
    after: pageToken || null,
    pageSize: Math.min(pageSize || DEFAULT_PAGE_SIZE, MOST_PAGE_SIZE),
  };
}

function statusOf(status: string) {
  if (status === "active" || status === "revoked") return status;
  throw new ServiceError("invalid", "a key's status is active or revoked");
}

function kindOf(kind: string | undefined) {
  if (kind === "PUBLISHABLE") return "publishable";
  if (kind === "SECRET") return "secret";
  throw new ServiceError("invalid", "a key's kind must be publishable or secret");
}

function eventToWire({ data, ...event }: KeyEvent): object {
  return { ...event, dataJson: JSON.stringify(data) };
}
