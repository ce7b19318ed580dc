import type { KeyEvent } from "@geolookup/shared/domain/key-event.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { requireAdminToken } from "@geolookup/shared/runtime/admin-token.ts";
import { loadService } from "@geolookup/shared/runtime/grpc-client.ts";
import type { Handler, ServedService } from "@geolookup/shared/runtime/grpc-server.ts";
import type { IssuedKey } from "./key.ts";
import type { KeyAdmin } from "./key-admin.ts";

/** Who did it, in the history of keys changed over gRPC. */
const BY = "admin";

/** A request as proto-loader gives it: unset fields are absent, repeated ones arrays. */
interface Request {
  keyId?: string;
  kind?: string;
  plan?: string;
  label?: string;
  reason?: string;
  origins: string[];
}

/** Serves proto auth/v1 KeyAdmin to who has the admin token. */
export function keyAdminService(admin: KeyAdmin, adminToken: string): ServedService {
  const methods: Record<string, (request: Request) => unknown> = {
    issueKey: async ({ kind, plan = "", label = "", origins }) => {
      const issued = await admin.issue({ kind: kindOf(kind), plan, label, origins }, BY);
      return { secret: issued.secret, key: keyToWire(issued.key) };
    },
    listKeys: () => ({ keys: admin.list().map(keyToWire) }),
    getKey: ({ keyId = "" }) => keyToWire(admin.get(keyId)),
    revokeKey: async ({ keyId = "", reason = "" }) => keyToWire(await admin.revoke(keyId, reason, BY)),
    setPlan: async ({ keyId = "", plan = "" }) => keyToWire(await admin.setPlan(keyId, plan, BY)),
    setOrigins: async ({ keyId = "", origins }) => keyToWire(await admin.setOrigins(keyId, origins, BY)),
    setLabel: async ({ keyId = "", label = "" }) => keyToWire(await admin.setLabel(keyId, label, BY)),
    getHistory: async ({ keyId = "" }) => ({ events: (await admin.history(keyId)).map(eventToWire) }),
  };
  const handlers: Record<string, Handler> = {};
  for (const [name, method] of Object.entries(methods))
    handlers[name] = (request: Request, metadata) => {
      requireAdminToken(metadata, adminToken);
      return method(request);
    };
  return { definition: loadService("auth/v1/auth.proto", "geolookup.auth.v1.KeyAdmin").service, handlers };
}

function kindOf(kind: string | undefined) {
  if (kind === "PUBLISHABLE") return "publishable";
  if (kind === "SECRET") return "secret";
  throw new ServiceError("invalid", "a key's kind must be publishable or secret");
}

function keyToWire(key: IssuedKey): object {
  return { ...key, kind: key.kind.toUpperCase() };
}

function eventToWire({ data, ...event }: KeyEvent): object {
  return { ...event, dataJson: JSON.stringify(data) };
}
