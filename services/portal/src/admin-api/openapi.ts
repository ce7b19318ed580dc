import { COMPONENTS, ERROR } from "@geolookup/shared/runtime/grpc/admin-schemas.ts";
import { z } from "zod";
import { API_ERRORS } from "./errors.ts";
import type { Operation } from "./operation.ts";

const SCHEMAS = "#/components/schemas/";
const TOKEN = {
  operatorToken: { type: "http", scheme: "bearer", description: "ADMIN_TOKEN, or an operator's token." },
};
const IDEMPOTENCY_KEY = {
  ...{
    name: "Idempotency-Key",
    in: "header",
    required: false,
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
  description:
    "A new random text for each change. The same request with the same key within 24 hours has no second effect.",
};

/** The OpenAPI 3.1 document of the API, from the schemas that check its requests and type its responses. */
export function adminApiDocument(operations: readonly Operation[], docsUrl: string | null) {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const path = `/admin/v1${operation.path}`;
    paths[path] = { ...paths[path], [operation.method]: describe(operation) };
  }
  const { schemas } = z.toJSONSchema(COMPONENTS, { uri: (id) => `${SCHEMAS}${id}` });
  return {
    openapi: "3.1.0",
    info: {
      title: "geolookup admin API",
      version: "1",
      summary: "Manages the keys, customers, plans and operators of a deployment.",
      license: { name: "MIT", identifier: "MIT" },
    },
    ...(docsUrl !== null && { externalDocs: { url: `${docsUrl}/console/guides/admin-api` } }),
    tags: TAGS.map((name) => ({ name })),
    security: [{ operatorToken: [] }],
    paths,
    components: {
      securitySchemes: TOKEN,
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => [id, { title: id, ...schema }]),
      ),
      responses: { Error: { description: errorList(), content: { "application/json": { schema: refTo(ERROR) } } } },
    },
  };
}

const TAGS = ["keys", "customers", "plans", "audit", "operators", "data"];

function describe({ path, method, id, summary, role, query, body, result, status }: Operation) {
  const [, inPath] = /\{(\w+)\}/.exec(path) ?? [];
  const parameters = [
    ...(inPath === undefined ? [] : [{ name: inPath, in: "path", required: true, schema: { type: "string" } }]),
    ...(query === undefined ? [] : queryParameters(query)),
    ...(method === "get" ? [] : [IDEMPOTENCY_KEY]),
  ];
  return {
    tags: [path.split("/")[1]],
    operationId: id,
    summary,
    description: `Role: ${role}.`,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: { "application/json": { schema: inlined(body) } } } }),
    responses: {
      [status ?? 200]: { description: summary, content: { "application/json": { schema: refTo(result) } } },
      default: { $ref: "#/components/responses/Error" },
    },
  };
}

function queryParameters(query: z.ZodObject) {
  const { properties = {}, required = [] } = inlined(query);
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    ...{ name, in: "query", required: required.includes(name), schema },
    ...(description && { description }),
  }));
}

interface ObjectSchema {
  properties?: Record<string, { description?: string }>;
  required?: string[];
}

/** What callers send: before defaults and transformations. */
function inlined(schema: z.ZodObject): ObjectSchema {
  const { $schema, ...described } = z.toJSONSchema(schema, { io: "input" });
  return described as ObjectSchema;
}

function refTo(schema: z.ZodType) {
  return { $ref: `${SCHEMAS}${COMPONENTS.get(schema)?.id}` };
}

function errorList(): string {
  return Object.entries(API_ERRORS)
    .map(([code, status]) => `${status} \`${code}\``)
    .join(", ");
}
