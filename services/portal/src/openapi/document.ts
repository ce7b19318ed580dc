import { FIELDS_OF } from "@geolookup/shared/domain/record.ts";
import { EXAMPLE_RECORD, UNKNOWN_FREE_RECORD, urlsOrExamples } from "../docs/examples.ts";
import { type DescribedDeployment, errorReferences, errorResponses, errorSchemas } from "./error-responses.ts";
import { RECORD_HEADERS } from "./headers.ts";
import { recordSchema } from "./record-schema.ts";

/** A key can be sent in three places (contract, section 5). */
const KEY_PLACES = [{ keyInQuery: [] }, { keyAsBearer: [] }, { keyInHeader: [] }];

export const SECURITY_SCHEMES = {
  keyInQuery: {
    type: "apiKey",
    in: "query",
    name: "key",
    description: "Checked first. Send a publishable key this way in browsers: it needs no CORS preflight.",
  },
  keyAsBearer: {
    type: "http",
    scheme: "bearer",
    description: "Checked second. Use it for secret keys. Browsers send a CORS preflight.",
  },
  keyInHeader: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "Checked third. Use it for secret keys. Browsers send a CORS preflight.",
  },
};

/** The OpenAPI 3.1 description of the API. Fields, codes and statuses come from the same catalog as the responses. */
export function openApiDocument(deployment: DescribedDeployment) {
  const { apiUrl, docsUrl } = urlsOrExamples(deployment);
  return {
    // 3.1.1 only clarifies the text of 3.1.0, and some generators reject it.
    openapi: "3.1.0",
    info: {
      title: deployment.site.name,
      version: "1",
      summary: "Locates the caller by IP address.",
      description: [INTRODUCTION, ...OTHER_REQUESTS].join("\n\n"),
      license: { name: "MIT", identifier: "MIT" },
    },
    externalDocs: { url: docsUrl },
    servers: [{ url: apiUrl }],
    tags: [{ name: "Geolocation" }],
    security: deployment.keyless.hourlyLimit === null ? KEY_PLACES : [{}, ...KEY_PLACES],
    paths: { [LOOKUP.path]: pathItem(LOOKUP), [ALIAS.path]: pathItem(ALIAS) },
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: { fields: FIELDS_PARAMETER },
      schemas: titled({ GeoRecord: recordSchema(), ...errorSchemas() }),
      responses: { Record: recordResponse(deployment), ...errorResponses(deployment) },
    },
  };
}

/** Schemas with their names as titles: generators that resolve references first name types by title. */
function titled(schemas: Readonly<Record<string, object>>) {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, { title: name, ...schema }]));
}

/** The operation, and its alias. */
export const LOOKUP = {
  path: "/v1/geo",
  operationId: "locate",
  summary: "Get the caller's geolocation record",
} as const;
export const ALIAS = { path: "/", operationId: "locateAtRoot", summary: "Alias of /v1/geo" } as const;

export const INTRODUCTION =
  "One read-only operation that looks up the caller's own IP address; no address is passed in. " +
  "Coordinates are those of the city, not of the device. " +
  "An unknown location is never an error: it returns 200 with `partial` set to true.";

/** What other methods and paths return. */
export const OTHER_REQUESTS = [
  "HEAD returns the headers of GET and counts as a request. OPTIONS on any path returns 204 with the CORS headers of a " +
    "preflight, which browsers cache for a day and which allows any request header. Don't send credentials such as cookies: " +
    "browsers block the responses.",
  "Any other path or method returns 404. So do invalid HTTP, slow requests, headers that are too large and `Expect` headers, " +
    "which also close the connection. Under overload, the service returns 500. It never returns 405, 408, 414, 417, 431 or 503.",
];

export const FIELDS_PARAMETER = {
  name: "fields",
  in: "query",
  required: false,
  description:
    "Comma-separated names of the fields to return, such as `fields=country,city`. It can't add fields that aren't on the " +
    "plan. Unknown names and an empty list are ignored.",
  style: "form",
  explode: false,
  schema: { type: "array", items: { type: "string" } },
  // On every plan.
  example: ["country", "countryName"],
};

function pathItem({ operationId, summary }: typeof LOOKUP | typeof ALIAS) {
  return {
    get: {
      tags: ["Geolocation"],
      operationId,
      summary,
      parameters: [{ $ref: "#/components/parameters/fields" }],
      responses: { 200: { $ref: "#/components/responses/Record" }, ...errorReferences() },
    },
  };
}

function recordResponse(deployment: DescribedDeployment) {
  const { description } = recordSchema();
  const schema = { $ref: "#/components/schemas/GeoRecord" };
  const content = { "application/json": { schema, examples: recordExamples(deployment) } };
  return { description, headers: RECORD_HEADERS, content };
}

export function recordExamples({ keyless }: Pick<DescribedDeployment, "keyless">) {
  const free = Object.fromEntries(FIELDS_OF.free.map((name) => [name, EXAMPLE_RECORD[name]]));
  return {
    paid: { summary: "Plan with the paid fields", value: EXAMPLE_RECORD },
    free: {
      summary: keyless.hourlyLimit === null ? "Plan with the free fields" : "No key, or a plan with the free fields",
      value: free,
    },
    unknown: { summary: "Unknown address", value: UNKNOWN_FREE_RECORD },
  };
}
