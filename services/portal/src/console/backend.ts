import {
  type EventView,
  eventFromWire,
  type KeyView,
  keyFromWire,
  type UsageView,
  usageFromWire,
  type WireUsage,
} from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { callUnary, loadService, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import type { ConsoleSettings } from "./settings.ts";

/** The gateway waits 5 s for a page, which can take several calls in a row. */
const READ_DEADLINE_MS = 1_500;
const CHANGE_DEADLINE_MS = 4_000;
/**
 * Sends every call to the same node while it responds. Another auth node may not have seen the latest change yet, and the
 * next page would show the old state.
 */
const ONE_NODE = {
  "grpc.service_config": JSON.stringify({ loadBalancingConfig: [{ pick_first: {} }] }),
};
const AUTH = "auth/v1/auth.proto";
const USAGE = "usage/v1/usage.proto";

/** An empty string matches anything. */
export interface KeyFilter {
  search: string;
  kind: string;
  plan: string;
  status: string;
}

export interface KeyPage {
  keys: KeyView[];
  /** Where the next page starts; empty on the last page. */
  nextPageToken: string;
}

/**
 * A change of a key: the method of KeyAdmin and its request, without the key's ID. Except for revoking, which must always
 * succeed, a change names the version it applies to. If the key has another version, the call fails with `conflict`.
 */
export type KeyChange =
  | ((
      | { method: "setPlan"; plan: string }
      | { method: "setLabel"; label: string }
      | { method: "setOrigins"; origins: string[] }
    ) & { expectedVersion: number })
  | { method: "revokeKey"; reason: string };

/** The console's calls to auth and usage. Every method throws ServiceError. */
export interface Backend {
  /** A page can have fewer keys than requested, even none, and still not be the last one. */
  listKeys(filter: KeyFilter, page: { size: number; token: string }): Promise<KeyPage>;
  getKey(keyId: string): Promise<KeyView>;
  issueKey(request: { kind: string; plan: string; label: string; origins: string[] }): Promise<{
    secret: string;
    key: KeyView;
  }>;
  changeKey(keyId: string, change: KeyChange): Promise<void>;
  /** Oldest first. */
  history(keyId: string): Promise<EventView[]>;
  usage(keyId: string, month: string): Promise<UsageView>;
  /** The number of requests of each key in a month, in the order of the keys. */
  totals(keyIds: readonly string[], month: string): Promise<number[]>;
  close(): void;
}

/** Connects to auth and usage. */
export function connectBackend({ authUrl, usageUrl, adminToken }: ConsoleSettings): Backend {
  const keyAdmin = openClient(loadService(AUTH, "geolookup.auth.v1.KeyAdmin"), authUrl, ONE_NODE);
  const usage = openClient(loadService(USAGE, "geolookup.usage.v1.Usage"), usageUrl);
  const totals = openClient(loadService(USAGE, "geolookup.usage.v1.Totals"), usageUrl);
  const options = { deadlineMs: READ_DEADLINE_MS, token: adminToken };
  const admin = <Response>(method: string, request: object) => callUnary<Response>(keyAdmin, method, request, options);
  const change = <Response>(method: string, request: object) =>
    callUnary<Response>(keyAdmin, method, request, { deadlineMs: CHANGE_DEADLINE_MS, token: adminToken });
  return {
    async listKeys({ kind, ...filter }, { size, token }) {
      const request = {
        ...filter,
        kind: kind.toUpperCase() || "KEY_KIND_UNSPECIFIED",
        pageSize: size,
        pageToken: token,
      };
      const page = await admin<{ keys: Partial<KeyView>[]; nextPageToken?: string }>("listKeys", request);
      return { keys: page.keys.map(keyFromWire), nextPageToken: page.nextPageToken ?? "" };
    },
    getKey: async (keyId) => keyFromWire(await admin("getKey", { keyId })),
    async issueKey({ kind, ...request }) {
      const issued = await change<{ secret: string; key: Partial<KeyView> }>("issueKey", {
        ...request,
        kind: kind.toUpperCase() || "KEY_KIND_UNSPECIFIED",
      });
      return { secret: issued.secret, key: keyFromWire(issued.key) };
    },
    async changeKey(keyId, { method, ...request }) {
      await change(method, { keyId, ...request });
    },
    history: async (keyId) => (await admin<{ events: object[] }>("getHistory", { keyId })).events.map(eventFromWire),
    usage: async (keyId, month) =>
      usageFromWire(keyId, month, await callUnary<WireUsage>(usage, "getMonth", { keyId, month }, options)),
    async totals(keyIds, month) {
      // An empty ID excludes no gateway's counts.
      const request = { bootId: "", month, keyIds };
      return (await callUnary<{ totals: number[] }>(totals, "getTotals", request, options)).totals;
    },
    close() {
      for (const client of [keyAdmin, usage, totals]) client.close();
    },
  };
}
