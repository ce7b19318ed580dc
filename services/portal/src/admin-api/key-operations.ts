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
import type { KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { z } from "zod";
import { KeyChangeError } from "../deployment/backend.ts";
import { orNull } from "../deployment/services.ts";
import { CURSOR, DURATION_SECONDS, EXPIRY, MONTH, REASON, TEXT } from "./inputs.ts";
import { type ApiRequest, operation, orNone } from "./operation.ts";

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

/** A key of that ID; null if there is none. */
const findKey = ({ backend }: Pick<ApiRequest, "backend">, keyId: string) => orNone(backend.getKey(keyId));

const issueRequest = ({ expiresAt = "", ...request }: z.output<typeof ISSUE>) => ({ ...request, expiresAt });

/** Each change is an event of its own. Without a change, the key stays as it is. */
async function changeKey({ id, body, backend }: ApiRequest<unknown, z.output<typeof CHANGE>>): Promise<KeyView> {
  const { version: expectedVersion = 0, expiresAt, customer, ...properties } = body;
  const change = {
    ...{ ...properties, expectedVersion },
    ...(expiresAt !== undefined && { expiresAt: expiresAt ?? "" }),
    ...(customer !== undefined && { customer: customer ?? "" }),
  };
  try {
    return (await backend.changeKey(id, change)) ?? (await backend.getKey(id));
  } catch (error) {
    if (!(error instanceof KeyChangeError) || error.saved.length === 0) throw error;
    const { code, message, property, saved } = error;
    throw new ServiceError(code, `${saved.join(" and ")} saved, but not ${property}: ${message}`);
  }
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
    run: async ({ query: { limit, cursor, ...filter }, backend }) => {
      const { keys, nextPageToken } = await backend.listKeys(filter, { size: limit, token: cursor });
      return { items: keys, next: nextPageToken || null };
    },
  }),
  operation("post /keys", "issueKey", "operator", "Issue a key", {
    ...{ status: 201, secret: "key" },
    body: ISSUE,
    result: ISSUED_KEY,
    run: async ({ body, backend, prepared }) => {
      const request = issueRequest(body);
      if (prepared === null) {
        const { secret, key } = await backend.issueKey(request);
        return { ...key, key: secret };
      }
      const { secret } = await backend.prepareKey(request);
      const key = await backend.issuePreparedKey(request, { keyId: prepared.keyId ?? "", secret });
      return { ...key, key: secret };
    },
    once: {
      prepare: async ({ body, backend }) => ({ keyId: (await backend.prepareKey(issueRequest(body))).keyId }),
      recover: async (request) => findKey(request, request.prepared?.keyId ?? ""),
    },
  }),
  operation("post /keys/find", "findKeys", "viewer", "Find the issued keys among texts", {
    body: z.strictObject({ texts: z.array(z.string().max(256)).min(1).max(1_000) }),
    result: FOUND_KEYS,
    run: async ({ body, backend }) => ({ items: await backend.findKeys(body.texts) }),
  }),
  operation("get /keys/{keyId}", "getKey", "viewer", "Get a key", {
    result: KEY,
    run: async ({ id, backend }) => {
      const key = await backend.getKey(id);
      const lastUsed = await orNull(backend.lastUsed([key.keyId]));
      return { ...key, lastUsed: lastUsed?.[0] || null };
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
    run: async ({ id, body: { overlap, version }, backend, prepared }) => {
      const { secret, key } = await backend.rotateKey(id, overlap, version ?? prepared?.version ?? 0);
      return { ...key, key: secret };
    },
    once: {
      prepare: async ({ id, backend }) => {
        const { version, rotatedTo } = await backend.getKey(id);
        return { version, ...(rotatedTo && { rotatedTo }) };
      },
      // Of two rotations of one version, one wins.
      recover: async (request) => {
        const { rotatedTo } = await request.backend.getKey(request.id);
        return rotatedTo && rotatedTo !== request.prepared?.rotatedTo ? findKey(request, rotatedTo) : null;
      },
    },
  }),
  operation("post /keys/{keyId}/revoke", "revokeKey", "operator", "Revoke a key for good", {
    body: REASON,
    result: KEY,
    run: ({ id, body, backend }) => backend.revokeKey(id, body.reason),
  }),
  operation("post /keys/{keyId}/disable", "disableKey", "operator", "Disable a key", {
    body: REASON,
    result: KEY,
    run: ({ id, body, backend }) => backend.disableKey(id, body.reason),
  }),
  operation("post /keys/{keyId}/enable", "enableKey", "operator", "Enable a key", {
    result: KEY,
    run: ({ id, backend }) => backend.enableKey(id),
  }),
  operation("get /keys/{keyId}/usage", "getKeyUsage", "viewer", "Get a key's requests and refusals in a month", {
    query: z.strictObject({ month: MONTH.exactOptional() }),
    result: KEY_USAGE,
    run: async ({ id, query, backend, nowMs }) => {
      const { keyId } = await backend.getKey(id);
      return backend.usage(keyId, query.month ?? periodAt(nowMs).month);
    },
  }),
  operation("get /keys/{keyId}/history", "getKeyHistory", "viewer", "Get a key's changes, oldest first", {
    result: HISTORY,
    run: async ({ id, backend }) => ({ items: await backend.history(id) }),
  }),
];
