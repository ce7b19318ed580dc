import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import {
  type KeyView,
  keyFromWire,
  type UsageView,
  usageFromWire,
  type WireUsage,
} from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { callUnary, loadService, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import type { ListFilter } from "./command-line.ts";
import { DEADLINE_MS, explained } from "./no-answer.ts";
import type { ServiceAddress } from "./service-address.ts";

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
  const answer = await call<WireUsage>(address, "usage/v1/usage.proto", "geolookup.usage.v1.Usage", "getMonth", {
    keyId,
    month,
  });
  return usageFromWire(keyId, month, answer);
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
