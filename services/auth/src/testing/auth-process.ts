import type { AuthorizeResponse__Output as AuthorizeResponse } from "@geolookup/shared/generated/geolookup/auth/v1/AuthorizeResponse.ts";
import type { Check } from "@geolookup/shared/generated/geolookup/auth/v1/Check.ts";
import type { IssueKeyRequest } from "@geolookup/shared/generated/geolookup/auth/v1/IssueKeyRequest.ts";
import type { Key__Output as WireKey } from "@geolookup/shared/generated/geolookup/auth/v1/Key.ts";
import { callUnary, type Method, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { AUTH, KEY_ADMIN } from "@geolookup/shared/runtime/grpc/services.ts";
import { type ServiceProcess, startService } from "../../../../test/harness/service.ts";
import { tempFolder } from "../../../../test/harness/temp-folder.ts";

/** The admin token of every auth process of the tests. */
export const TOKEN = "a-token-of-some-length";
const DEADLINE_MS = 15_000;

/** The API of an auth process that is ready. */
export interface AuthApi {
  /** The gRPC target. */
  target: string;
  opsUrl: string;
  /** Calls a method of KeyAdmin. */
  admin<Request, Response>(
    method: Method<Request, Response>,
    request: NoInfer<Request>,
    token?: string,
  ): Promise<Response>;
  /** Issues a key: by default secret, of the free plan. */
  issue(request?: IssueKeyRequest): Promise<{ secret: string; keyId: string; key: WireKey }>;
  authorize(...checks: Check[]): Promise<AuthorizeResponse>;
}

/** An auth process of a test's own. */
export interface AuthProcess extends Omit<ServiceProcess, "ready"> {
  /** @throws Error with its output when it ends first or takes too long. */
  ready(): Promise<AuthApi>;
}

let shared: AuthProcess | undefined;
after("stop the shared auth process", () => shared?.stop());

/** An auth process on files for the suites that don't stop it. */
export function sharedAuth(): AuthProcess {
  shared ??= startAuth({ STORES: "embedded", DATA_DIR: tempFolder(), ADMIN_TOKEN: TOKEN });
  return shared;
}

/** Starts auth on free ports. */
export function startAuth(environment: Readonly<Record<string, string>>): AuthProcess {
  const auth = startService("auth", environment);
  const clients = new DisposableStack();
  return {
    ...auth,
    async ready() {
      const { port, opsPort } = await auth.ready();
      const target = `127.0.0.1:${port}`;
      const client = clients.use(openClient(target));
      // With a connection of its own, like a command: a server closes one after ten calls without the admin token.
      const admin: AuthApi["admin"] = async (method, request, token = TOKEN) => {
        using own = openClient(target, undefined, { "grpc.use_local_subchannel_pool": 1 });
        return await callUnary(own, method, request, { deadlineMs: DEADLINE_MS, token });
      };
      return {
        target,
        opsUrl: `http://127.0.0.1:${opsPort}`,
        admin,
        async issue(request = {}) {
          const { secret, key } = await admin(KEY_ADMIN.IssueKey, { kind: "SECRET", plan: "free", ...request });
          if (!secret || !key?.keyId) throw new Error("auth returned no key");
          return { secret, keyId: key.keyId, key };
        },
        authorize: (...checks) => callUnary(client, AUTH.Authorize, { checks }, { deadlineMs: DEADLINE_MS }),
      };
    },
    async stop() {
      clients.dispose();
      return auth.stop();
    },
    async [Symbol.asyncDispose]() {
      clients.dispose();
      await auth[Symbol.asyncDispose]();
    },
  };
}
