import { periodAt } from "@geolookup/shared/domain/period.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import {
  FOUND_KEYS,
  HISTORY,
  ISSUED_KEY,
  KEY,
  USAGE as KEY_USAGE,
  pageOf,
} from "@geolookup/shared/runtime/grpc/admin-schemas.ts";
import {
  eventFromWire,
  issuedKeyFromWire,
  type KeyView,
  keyFromWire,
  kindToWire,
  usageFromWire,
} from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { KEY_ADMIN, USAGE } from "@geolookup/shared/runtime/grpc/services.ts";
import { z } from "zod";
import { orNull } from "../deployment/services.ts";
import { CURSOR, DURATION_SECONDS, EXPIRY, MONTH, REASON, TEXT } from "./inputs.ts";
import { type ApiRequest, operation } from "./operation.ts";

const KINDS = z.enum(["publishable", "secret"]);
const ORIGINS = z.array(z.string().max(400)).max(100);
const METADATA = z.record(z.string().max(64), z.string().max(256));
const VERSION = z.int().min(1).exactOptional().describe("Refuses the change if the key has another version.");
const CUSTOMER = z.string().max(64);

const ISSUE = z.strictObject({
  kind: KINDS,
  plan: TEXT.default("").describe("Optional for keys of a customer: the customer's."),
  label: TEXT.default(""),
  origins: ORIGINS.default([]),
  mayForward: z.boolean().default(false).describe("Whether it may look up visitors. Secret keys only."),
  expiresAt: EXPIRY.exactOptional(),
  customer: CUSTOMER.default(""),
  metadata: METADATA.default({}),
});

const CHANGE = z.strictObject({
  plan: TEXT.exactOptional(),
  label: TEXT.exactOptional(),
  origins: ORIGINS.exactOptional(),
  expiresAt: EXPIRY.nullable().exactOptional().describe("null: never."),
  customer: CUSTOMER.nullable().exactOptional().describe("null: none."),
  metadata: METADATA.exactOptional().describe("Replaces all of it."),
  version: VERSION,
});

const getKey = async ({ auth }: Pick<ApiRequest, "auth">, keyId: string) =>
  keyFromWire(await auth(KEY_ADMIN.GetKey, { keyId }));

/** A key of that ID; null if there is none. */
async function findKey(request: ApiRequest, keyId: string): Promise<KeyView | null> {
  try {
    return await getKey(request, keyId);
  } catch (error) {
    if (error instanceof ServiceError && error.code === "not_found") return null;
    throw error;
  }
}

const wireOf = ({ kind, expiresAt = "", ...request }: z.output<typeof ISSUE>) => ({
  ...{ ...request, expiresAt, kind: kindToWire(kind) },
});

/** A key that isn't issued yet. @throws ServiceError `invalid` if the request is. */
async function prepareKey(change: ApiRequest["change"], request: ReturnType<typeof wireOf>) {
  const { keys, problems } = await change(KEY_ADMIN.PrepareKeys, { keys: [request] });
  const [{ keyId = "", secret = "" } = {}] = keys;
  const [{ message = "" } = {}] = problems;
  if (problems.length > 0) throw new ServiceError("invalid", message);
  return { keyId, secret };
}

/** Each change is an event of its own, in this order. Without a change, the key stays as it is. */
async function changeKey(request: ApiRequest<unknown, z.output<typeof CHANGE>>): Promise<KeyView> {
  const { id: keyId, body, change } = request;
  const { version, plan, label, origins, expiresAt, customer, metadata } = body;
  const changes = Object.entries({
    plan: plan !== undefined && ((to: Target) => change(KEY_ADMIN.SetPlan, { ...to, plan })),
    label: label !== undefined && ((to: Target) => change(KEY_ADMIN.SetLabel, { ...to, label })),
    origins: origins !== undefined && ((to: Target) => change(KEY_ADMIN.SetOrigins, { ...to, origins })),
    metadata: metadata !== undefined && ((to: Target) => change(KEY_ADMIN.SetMetadata, { ...to, metadata })),
    customer:
      customer !== undefined && ((to: Target) => change(KEY_ADMIN.SetCustomer, { ...to, customer: customer ?? "" })),
    expiresAt:
      expiresAt !== undefined && ((to: Target) => change(KEY_ADMIN.SetExpiry, { ...to, expiresAt: expiresAt ?? "" })),
  });
  const saved: string[] = [];
  let key: KeyView | null = null;
  for (const [name, apply] of changes) {
    if (apply === false) continue;
    const expectedVersion = key?.version ?? version ?? 0;
    try {
      key = keyFromWire(await apply({ keyId, expectedVersion }));
    } catch (error) {
      if (!(error instanceof ServiceError) || saved.length === 0) throw error;
      throw new ServiceError(error.code, `${saved.join(" and ")} saved, but not ${name}: ${error.message}`);
    }
    saved.push(name);
  }
  return key ?? (await getKey(request, keyId));
}

interface Target {
  keyId: string;
  expectedVersion: number;
}

export const KEY_OPERATIONS = [
  operation("get /keys", "listKeys", "viewer", "List keys", {
    query: z.strictObject({
      search: TEXT.exactOptional().describe(
        "A part of the key ID, label, display form, an origin or a metadata value, or `name=value` of a metadata pair.",
      ),
      kind: KINDS.exactOptional(),
      plan: TEXT.exactOptional(),
      status: KEY.shape.status.exactOptional(),
      customer: CUSTOMER.exactOptional(),
      ...CURSOR,
    }),
    result: pageOf("KeyList", KEY),
    run: async ({ query: { kind = "", limit, cursor, ...filter }, auth }) => {
      const request = { ...filter, kind: kindToWire(kind), pageSize: limit, pageToken: cursor };
      const { keys, nextPageToken } = await auth(KEY_ADMIN.ListKeys, request);
      return { items: keys.map(keyFromWire), next: nextPageToken || null };
    },
  }),
  operation("post /keys", "issueKey", "operator", "Issue a key", {
    ...{ status: 201, secret: "key" },
    body: ISSUE,
    result: ISSUED_KEY,
    run: async ({ body, change, prepared }) => {
      const request = wireOf(body);
      if (prepared === null) {
        const { secret, key } = issuedKeyFromWire(await change(KEY_ADMIN.IssueKey, request));
        return { ...key, key: secret };
      }
      const { secret } = await prepareKey(change, request);
      const issue = { ...request, keyId: prepared.keyId ?? "", secret };
      const { keys } = await change(KEY_ADMIN.IssueKeys, { keys: [issue] });
      return { ...keyFromWire(keys[0] ?? { origins: [] }), key: secret };
    },
    once: {
      prepare: async ({ body, change }) => ({ keyId: (await prepareKey(change, wireOf(body))).keyId }),
      recover: async (request) => findKey(request, request.prepared?.keyId ?? ""),
    },
  }),
  operation("post /keys/find", "findKeys", "viewer", "Find the issued keys among texts", {
    body: z.strictObject({ texts: z.array(z.string().max(256)).min(1).max(1_000) }),
    result: FOUND_KEYS,
    run: async ({ body, auth }) => {
      const { found } = await auth(KEY_ADMIN.FindKeys, body);
      return {
        items: found.map(({ index = 0, key }) => ({ ...keyFromWire(key ?? { origins: [] }), index })),
      };
    },
  }),
  operation("get /keys/{keyId}", "getKey", "viewer", "Get a key", {
    result: KEY,
    run: async (request) => {
      const key = await getKey(request, request.id);
      const lastUsed = await orNull(request.services.usage(USAGE.GetLastUsed, { keyIds: [key.keyId] }));
      return { ...key, lastUsed: lastUsed?.days[0] || null };
    },
  }),
  operation("patch /keys/{keyId}", "changeKey", "operator", "Change the given properties of a key", {
    body: CHANGE,
    result: KEY,
    run: changeKey,
  }),
  operation("post /keys/{keyId}/rotate", "rotateKey", "operator", "Rotate a key", {
    ...{ status: 201, secret: "key" },
    body: z.strictObject({ overlap: DURATION_SECONDS.default(86_400), version: VERSION }),
    result: ISSUED_KEY,
    run: async ({ id: keyId, body: { overlap, version }, change, prepared }) => {
      const request = { keyId, overlapSeconds: overlap, expectedVersion: version ?? prepared?.version ?? 0 };
      const { secret, key } = issuedKeyFromWire(await change(KEY_ADMIN.RotateKey, request));
      return { ...key, key: secret };
    },
    once: {
      prepare: async (request) => {
        const { version, rotatedTo } = await getKey(request, request.id);
        return { version, ...(rotatedTo && { rotatedTo }) };
      },
      // Of two rotations of one version, one wins.
      recover: async (request) => {
        const { rotatedTo } = await getKey(request, request.id);
        return rotatedTo && rotatedTo !== request.prepared?.rotatedTo ? findKey(request, rotatedTo) : null;
      },
    },
  }),
  operation("post /keys/{keyId}/revoke", "revokeKey", "operator", "Revoke a key for good", {
    body: REASON,
    result: KEY,
    run: async ({ id: keyId, body, change }) => keyFromWire(await change(KEY_ADMIN.RevokeKey, { keyId, ...body })),
  }),
  operation("post /keys/{keyId}/disable", "disableKey", "operator", "Disable a key", {
    body: REASON,
    result: KEY,
    run: async ({ id: keyId, body, change }) => keyFromWire(await change(KEY_ADMIN.DisableKey, { keyId, ...body })),
  }),
  operation("post /keys/{keyId}/enable", "enableKey", "operator", "Enable a key", {
    result: KEY,
    run: async ({ id: keyId, change }) => keyFromWire(await change(KEY_ADMIN.EnableKey, { keyId })),
  }),
  operation("get /keys/{keyId}/usage", "getKeyUsage", "viewer", "Get a key's requests and refusals in a month", {
    query: z.strictObject({ month: MONTH.exactOptional() }),
    result: KEY_USAGE,
    run: async (request) => {
      const { keyId } = await getKey(request, request.id);
      const month = request.query.month ?? periodAt(request.nowMs).month;
      return usageFromWire(await request.services.usage(USAGE.GetMonth, { keyId, month }));
    },
  }),
  operation("get /keys/{keyId}/history", "getKeyHistory", "viewer", "Get a key's changes, oldest first", {
    result: HISTORY,
    run: async ({ id: keyId, auth }) => ({
      items: (await auth(KEY_ADMIN.GetHistory, { keyId })).events.map(eventFromWire),
    }),
  }),
];
