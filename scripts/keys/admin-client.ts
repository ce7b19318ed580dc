import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import {
  type IssuedKeyView,
  issuedKeyFromWire,
  type KeyView,
  keyFromWire,
  kindToWire,
  type UsageView,
  usageFromWire,
} from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { callUnary, type Method, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { CHANGE_DEADLINE_MS } from "@geolookup/shared/runtime/grpc/limits.ts";
import { KEY_ADMIN, USAGE } from "@geolookup/shared/runtime/grpc/services.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { explainFailure } from "./explain-failure.ts";
import { findService, type ServiceAddress } from "./service-address.ts";

const PAGE_SIZE = 1_000;
const CONNECTED_WITHIN_MS = 100;

/** Which keys to list; an empty string matches every key. */
export interface ListFilter {
  search: string;
  kind: "" | "publishable" | "secret";
  plan: string;
  status: string;
  /** The customer's ID. */
  customer: string;
  /** Only keys with this pair, or with this name if there is no value. */
  metadata?: readonly [name: string, value?: string] | undefined;
}

export const ANY_KEY: ListFilter = { search: "", kind: "", plan: "", status: "", customer: "" };

/** Lists every key that matches, page by page. @throws ServiceError; StartError when the service is unreachable */
export async function listKeys(service: OpenedService, { kind, metadata, ...filter }: ListFilter): Promise<KeyView[]> {
  const keys: KeyView[] = [];
  let pageToken = "";
  const [name = "", value] = metadata ?? [];
  const search = metadata ? `${name}=${value ?? ""}` : filter.search;
  do {
    const request = { ...filter, search, kind: kindToWire(kind), pageSize: PAGE_SIZE, pageToken };
    const page = await service.call(KEY_ADMIN.ListKeys, request);
    keys.push(...page.keys.map(keyFromWire));
    pageToken = page.nextPageToken ?? "";
  } while (pageToken !== "");
  const has = (found: string | undefined) => found !== undefined && (value === undefined || found === value);
  // Auth's search ignores case, and finds the text in labels, too.
  return metadata ? keys.filter((key) => has(key.metadata?.[name])) : keys;
}

/** Adds to each key when it was last used. If usage can't be asked, the keys stay as they are. */
export async function withLastUsed(environment: NodeJS.ProcessEnv, keys: readonly KeyView[]): Promise<KeyView[]> {
  try {
    using service = openService(findService("usage", environment));
    const days: string[] = [];
    for (let from = 0; from < keys.length; from += PAGE_SIZE) {
      const keyIds = keys.slice(from, from + PAGE_SIZE).map(({ keyId }) => keyId);
      days.push(...(await service.call(USAGE.GetLastUsed, { keyIds })).days);
    }
    return keys.map((key, index) => ({ ...key, lastUsed: days[index] || null }));
  } catch (error) {
    if (error instanceof ServiceError || error instanceof StartError) return [...keys];
    throw error;
  }
}

/** What `keys issue` and its like ask for. */
export interface IssueRequest {
  kind: string;
  plan: string;
  label?: string;
  origins?: readonly string[];
  mayForward?: boolean;
  /** RFC 3339, UTC. Empty: never. */
  expiresAt?: string;
  customer?: string;
  metadata?: Record<string, string>;
}

/** @throws ServiceError; StartError when the service is unreachable */
export async function issueKey(address: ServiceAddress, request: IssueRequest): Promise<IssuedKeyView> {
  return issuedKeyFromWire(await callService(address, KEY_ADMIN.IssueKey, issueRequestToWire(request)));
}

export function issueRequestToWire<Request extends IssueRequest>(request: Request) {
  return { ...request, kind: kindToWire(request.kind) };
}

/** Gets a key's usage in a month. @throws ServiceError; StartError when the service is unreachable */
export async function fetchUsage(address: ServiceAddress, keyId: string, month: string): Promise<UsageView> {
  return usageFromWire(await callService(address, USAGE.GetMonth, { keyId, month }));
}

/** Calls a method of KeyAdmin or Usage. @throws ServiceError; StartError when the service is unreachable */
export async function callService<Request, Response>(
  address: ServiceAddress,
  method: Method<Request, Response>,
  request: NoInfer<Request>,
): Promise<Response> {
  using service = openService(address);
  return await service.call(method, request);
}

/** A connection to a service, for several calls. */
export interface OpenedService extends Disposable {
  /** @throws ServiceError; StartError when the service is unreachable */
  call<Request, Response>(method: Method<Request, Response>, request: NoInfer<Request>): Promise<Response>;
}

/** Connects to a service at the first call. */
export function openService({ target, peer, token, deployment = "unknown" }: ServiceAddress): OpenedService {
  const client = openClient(target, peer);
  return {
    async call(method, request) {
      try {
        return await callUnary(client, method, request, { deadlineMs: CHANGE_DEADLINE_MS, token });
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        const connected = await isConnected(client);
        throw explainFailure(error, { target, path: method.path, deployment, isConnected: connected });
      }
    },
    [Symbol.dispose]: () => client.close(),
  };
}

/** Distinguishes an unreachable service from one that reports itself unavailable. */
function isConnected(client: ReturnType<typeof openClient>): Promise<boolean> {
  return new Promise((resolve) => client.waitForReady(Date.now() + CONNECTED_WITHIN_MS, (error) => resolve(!error)));
}
