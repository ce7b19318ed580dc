import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { callUnary, loadService, openClient } from "@geolookup/shared/runtime/grpc-client.ts";
import type { ListFilter } from "./command-line.ts";
import { DEADLINE_MS, explained } from "./no-answer.ts";
import type { ServiceAddress } from "./service-address.ts";

/** A key as it is shown: the design's JSON form (section 9). */
export interface KeyView {
  keyId: string;
  kind: string;
  plan: string;
  label: string;
  origins: string[];
  display: string;
  status: string;
  createdAt: string;
  revokedAt?: string;
  revokedReason?: string;
  version: number;
}

/** One event of a key's history. */
export interface EventView {
  id: string;
  type: string;
  keyId: string;
  version: number;
  at: string;
  by: string;
  data: unknown;
}

/** A key's requests in a month. */
export interface UsageView {
  keyId: string;
  month: string;
  total: number;
  days: { day: string; requests: number }[];
}

const PAGE_SIZE = 1_000;
const CONNECTED_WITHIN_MS = 100;

/** Calls one method of KeyAdmin. @throws ServiceError; StartError when the service cannot be reached */
export function callKeyAdmin<Response>(address: ServiceAddress, method: string, request: object): Promise<Response> {
  return call(address, "auth/v1/auth.proto", "geolookup.auth.v1.KeyAdmin", method, request);
}

/** Asks for every key that matches, page by page. @throws ServiceError; StartError when the service cannot be reached */
export async function listKeys(address: ServiceAddress, filter: ListFilter): Promise<KeyView[]> {
  const keys: KeyView[] = [];
  const request = { ...filter, kind: filter.kind.toUpperCase() || "KEY_KIND_UNSPECIFIED", pageSize: PAGE_SIZE };
  let pageToken = "";
  do {
    const page = await callKeyAdmin<{ keys: Partial<KeyView>[]; nextPageToken?: string }>(address, "listKeys", {
      ...request,
      pageToken,
    });
    keys.push(...page.keys.map(keyFromWire));
    pageToken = page.nextPageToken ?? "";
  } while (pageToken !== "");
  return keys;
}

/** Asks what a key used in a month. @throws ServiceError; StartError when the service cannot be reached */
export async function fetchUsage(address: ServiceAddress, keyId: string, month: string): Promise<UsageView> {
  const answer = await call<{ total?: number; days?: { day?: string; requests?: number }[] }>(
    address,
    "usage/v1/usage.proto",
    "geolookup.usage.v1.Usage",
    "getMonth",
    { keyId, month },
  );
  const days = (answer.days ?? []).map(({ day = "", requests = 0 }) => ({ day, requests }));
  return { keyId, month, total: answer.total ?? 0, days };
}

/** A key as proto-loader gives it: texts that are empty are absent. */
export function keyFromWire(wire: Partial<KeyView>): KeyView {
  const { revokedAt, revokedReason } = wire;
  return {
    keyId: wire.keyId ?? "",
    kind: (wire.kind ?? "").toLowerCase(),
    plan: wire.plan ?? "",
    label: wire.label ?? "",
    origins: wire.origins ?? [],
    display: wire.display ?? "",
    status: wire.status ?? "",
    createdAt: wire.createdAt ?? "",
    ...(revokedAt === undefined ? {} : { revokedAt }),
    ...(revokedReason === undefined ? {} : { revokedReason }),
    version: wire.version ?? 0,
  };
}

/** An event as proto-loader gives it. */
export function eventFromWire(wire: Partial<EventView> & { dataJson?: string }): EventView {
  const { id = "", type = "", keyId = "", version = 0, at = "", by = "", dataJson = "{}" } = wire;
  return { id, type, keyId, version, at, by, data: JSON.parse(dataJson) };
}

async function call<Response>(
  address: ServiceAddress,
  file: string,
  service: string,
  method: string,
  request: object,
): Promise<Response> {
  const client = openClient(loadService(file, service), address.target);
  try {
    return await callUnary<Response>(client, method, request, { deadlineMs: DEADLINE_MS, token: address.token });
  } catch (error) {
    throw error instanceof ServiceError ? explained(error, address.target, await isConnected(client)) : error;
  } finally {
    client.close();
  }
}

/** Tells a service that says it is unavailable from one that cannot be reached. */
function isConnected(client: ReturnType<typeof openClient>): Promise<boolean> {
  return new Promise((resolve) => client.waitForReady(Date.now() + CONNECTED_WITHIN_MS, (error) => resolve(!error)));
}
