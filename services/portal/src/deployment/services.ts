import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import {
  type CallOptions,
  callUnary,
  type Method,
  openClient,
  securePeer,
} from "@geolookup/shared/runtime/grpc/client.ts";
import type { InternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";

/** The gateway waits 5 s for a page, which can take several calls in a row, and longer for a form. */
export const READ_DEADLINE_MS = 1_500;
/**
 * Sends every call to the same node while it responds. Another auth node may not have the latest change yet, so the next page would
 * show the old state.
 */
const ONE_NODE = {
  "grpc.service_config": JSON.stringify({ loadBalancingConfig: [{ pick_first: {} }] }),
};

/** How to reach the other services. */
export interface ServiceSettings {
  /** gRPC targets. */
  authUrl: string;
  usageUrl: string;
  /** Null if not configured: the console can't look up addresses. */
  geoUrl: string | null;
  /** Operators sign in with it, and the portal sends it to auth and usage. */
  adminToken: string;
}

/** Connections to auth, usage and geo. */
export interface Services extends Disposable {
  /** Calls auth. @throws ServiceError */
  auth: Call;
  /** Calls usage. @throws ServiceError */
  usage: Call;
  /** Calls geo; null without a geo service. @throws ServiceError */
  geo: Call | null;
}

/** Whose call it is (default: the admin token's owner), and how long it may take (default: as long as a page waits for it). */
export type Call = <Request, Response>(
  method: Method<Request, Response>,
  request: NoInfer<Request>,
  options?: Partial<CallOptions>,
) => Promise<Response>;

/**
 * Connects to auth, usage and geo.
 * @param tls null: the connections have no TLS.
 */
export function connectServices(
  { authUrl, usageUrl, geoUrl, adminToken }: ServiceSettings,
  tls: InternalTls | null,
): Services {
  const auth = openClient(authUrl, securePeer(tls, "auth"), ONE_NODE);
  const usage = openClient(usageUrl, securePeer(tls, "usage"));
  const geo = geoUrl === null ? null : openClient(geoUrl, securePeer(tls, "geo"));
  const callOf =
    (client: typeof auth, defaults: CallOptions): Call =>
    (method, request, options) =>
      callUnary(client, method, request, { ...defaults, ...options });
  const asAdmin = { deadlineMs: READ_DEADLINE_MS, token: adminToken };
  return {
    auth: callOf(auth, asAdmin),
    usage: callOf(usage, asAdmin),
    geo: geo && callOf(geo, { deadlineMs: READ_DEADLINE_MS }),
    [Symbol.dispose]() {
      auth.close();
      usage.close();
      geo?.close();
    },
  };
}

/** A result of the backend; null if the service failed. */
export async function orNull<Result>(result: Promise<Result>): Promise<Result | null> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

/**
 * Calls `collect` at most once per `freshMs`, no matter how many pages show the result.
 * @param collect its result is reused, whether it fulfills or rejects.
 */
export function reuse<Result>(freshMs: number, clock: Clock, collect: () => Promise<Result>): () => Promise<Result> {
  let latest: Promise<Result> | null = null;
  let startedAtMs = 0;
  return () => {
    if (latest === null || clock() - startedAtMs >= freshMs) {
      startedAtMs = clock();
      latest = collect();
    }
    return latest;
  };
}
