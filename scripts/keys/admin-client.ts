import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { Customer__Output as WireCustomer } from "@geolookup/shared/generated/geolookup/auth/v1/Customer.ts";
import type { Key__Output as WireKey } from "@geolookup/shared/generated/geolookup/auth/v1/Key.ts";
import {
  type CustomerView,
  customerFromWire,
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
import { isTimeout, isUnknownMethod } from "@geolookup/shared/runtime/grpc/status.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { adviceFor, type Deployment } from "../deployment.ts";
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
  const [name = "", value] = metadata ?? [];
  const search = metadata ? `${name}=${value ?? ""}` : filter.search;
  const keys: KeyView[] = [];
  for await (const page of pagesOf(service, KEY_ADMIN.ListKeys, { ...filter, search, kind: kindToWire(kind) }))
    keys.push(...page.keys.map(keyFromWire));
  const has = (found: string | undefined) => found !== undefined && (value === undefined || found === value);
  // Auth's search ignores case, and finds the text in labels, too.
  return metadata ? keys.filter((key) => has(key.metadata?.[name])) : keys;
}

/** Lists the customers that match. @throws as listKeys */
export async function listCustomers(service: OpenedService, search: string): Promise<CustomerView[]> {
  const customers: CustomerView[] = [];
  for await (const page of pagesOf(service, KEY_ADMIN.ListCustomers, { search }))
    customers.push(...page.customers.map(customerFromWire));
  return customers;
}

/** Requests every page of a list, one after another. */
export async function* pagesOf<Request, Response extends { nextPageToken?: string | undefined }>(
  service: OpenedService,
  method: Method<Request & { pageSize: number; pageToken: string }, Response>,
  request: NoInfer<Request>,
): AsyncGenerator<Response> {
  let pageToken: string | undefined = "";
  do {
    const page: Response = await service.call(method, { ...request, pageSize: PAGE_SIZE, pageToken });
    yield page;
    pageToken = page.nextPageToken;
  } while (pageToken);
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

/** Calls auth once. @throws ServiceError; StartError when it is unreachable or can't be found */
export async function callAuth<Request, Response>(
  environment: NodeJS.ProcessEnv,
  method: Method<Request, Response>,
  request: NoInfer<Request>,
): Promise<Response> {
  return await callService(findService("auth", environment), method, request);
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

type CallReturning<Result> = {
  [Name in keyof typeof KEY_ADMIN]: (typeof KEY_ADMIN)[Name] extends Method<infer Request, Result>
    ? { method: Name; request: Request }
    : never;
}[keyof typeof KEY_ADMIN];

/** A method that returns the key, or the customer, and its request. */
export type KeyCall = CallReturning<WireKey>;
export type CustomerCall = CallReturning<WireCustomer>;

export function makeCall(service: OpenedService, call: KeyCall): Promise<WireKey>;
export function makeCall(service: OpenedService, call: CustomerCall): Promise<WireCustomer>;
export function makeCall(service: OpenedService, { method, request }: KeyCall | CustomerCall): Promise<object> {
  return service.call(KEY_ADMIN[method] as Method<object, object>, request);
}

/** A connection to a service, for several calls. */
export interface OpenedService extends Disposable {
  /** @throws ServiceError; StartError when the service is unreachable */
  call<Request, Response>(method: Method<Request, Response>, request: NoInfer<Request>): Promise<Response>;
}

/** A connection to auth. @throws StartError if it can't be found */
export function openAuth(environment: NodeJS.ProcessEnv): OpenedService {
  return openService(findService("auth", environment));
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

/**
 * Explains a call without a response from the right service to the operator.
 * @param path the method's.
 * @param isConnected whether something listens at the target. If so, its own error is returned unchanged.
 */
export function explainFailure(
  error: ServiceError,
  {
    target,
    path,
    isConnected,
    deployment,
  }: { target: string; path: string; isConnected: boolean; deployment: Deployment },
): ServiceError | StartError {
  const service = path.startsWith("/geolookup.usage.") ? "usage" : "auth";
  if (isTimeout(error))
    return new StartError(
      `${target} didn't respond within ${CHANGE_DEADLINE_MS / 1_000} s. ${adviceFor(deployment, service)}. ` +
        "If you changed something, check whether the change was made before you retry",
    );
  if (isUnknownMethod(error))
    return new StartError(
      `${target} isn't the ${service} service, or it is another version of it. Check ${service.toUpperCase()}_URL`,
    );
  if (error.code !== "unavailable" || isConnected) return error;
  const [, problem] = /Last error: (?:Error: )?([^:]*certificate.*?)\. Resolution note/.exec(error.message) ?? [];
  if (problem !== undefined)
    return new StartError(`${target} isn't trusted: ${problem}. Check the INTERNAL_TLS_… files of both sides`);
  return new StartError(`${service} isn't running at ${target}. ${adviceFor(deployment, service)}`);
}
