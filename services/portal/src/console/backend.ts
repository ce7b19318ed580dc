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

/** The gateway waits 5 s for a page, which may take several calls, one after another. */
const READ_DEADLINE_MS = 1_500;
const CHANGE_DEADLINE_MS = 4_000;
/**
 * Every call goes to the same node as long as it answers: another auth node may not have heard yet of what was just
 * changed, and the page that follows would show it as it was.
 */
const ONE_NODE = {
  "grpc.service_config": JSON.stringify({ loadBalancingConfig: [{ pick_first: {} }] }),
};
const AUTH = "auth/v1/auth.proto";
const USAGE = "usage/v1/usage.proto";

/** Empty: any. */
export interface KeyFilter {
  search: string;
  kind: string;
  plan: string;
  status: string;
}

export interface KeyPage {
  keys: KeyView[];
  /** Where the next page begins; empty: there is none. */
  nextPageToken: string;
}

/**
 * How a key can be changed: the method of KeyAdmin, and its request besides the key's ID. But for revoking, which has to
 * win over everything, a change is for a version of the key, and a `conflict` when it has another by now.
 */
export type KeyChange =
  | ((
      | { method: "setPlan"; plan: string }
      | { method: "setLabel"; label: string }
      | { method: "setOrigins"; origins: string[] }
    ) & { expectedVersion: number })
  | { method: "revokeKey"; reason: string };

/** What the console asks of auth and usage. Every method throws ServiceError. */
export interface Backend {
  /** It may have fewer keys than asked for, even none, before the last page. */
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
  /** Requests of keys in a month, in their order. */
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
      const answer = await change<{ secret: string; key: Partial<KeyView> }>("issueKey", {
        ...request,
        kind: kind.toUpperCase() || "KEY_KIND_UNSPECIFIED",
      });
      return { secret: answer.secret, key: keyFromWire(answer.key) };
    },
    async changeKey(keyId, { method, ...request }) {
      await change(method, { keyId, ...request });
    },
    history: async (keyId) => (await admin<{ events: object[] }>("getHistory", { keyId })).events.map(eventFromWire),
    usage: async (keyId, month) =>
      usageFromWire(keyId, month, await callUnary<WireUsage>(usage, "getMonth", { keyId, month }, options)),
    async totals(keyIds, month) {
      // No boot asks, so nobody's counts are left out.
      const request = { bootId: "", month, keyIds };
      return (await callUnary<{ totals: number[] }>(totals, "getTotals", request, options)).totals;
    },
    close() {
      for (const client of [keyAdmin, usage, totals]) client.close();
    },
  };
}
