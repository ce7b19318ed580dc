import { FIELDS, FIELDS_OF } from "@geolookup/shared/domain/record.ts";
import { placeholders } from "../docs/addresses.ts";
import { EXAMPLE_RECORD, UNKNOWN_FREE_RECORD } from "../docs/example-record.ts";
import { errorReferences, errorResponses, errorSchemas, type OpenApiSite } from "./error-responses.ts";
import { PREFLIGHT_HEADERS, RECORD_HEADERS } from "./headers.ts";
import { recordSchema } from "./record-schema.ts";

const JSON_TYPE = "application/json";

/** A request may carry a key in any of three places, or none where that is served (contract, section 5). */
const KEY_PLACES = [{ keyInQuery: [] }, { keyAsBearer: [] }, { keyInHeader: [] }];

const SECURITY_SCHEMES = {
  keyInQuery: {
    type: "apiKey",
    in: "query",
    name: "key",
    description: "Looked at first. Best for browsers: no preflight. A publishable key.",
  },
  keyAsBearer: {
    type: "http",
    scheme: "bearer",
    description: "Looked at second. A secret key; makes a browser send a preflight.",
  },
  keyInHeader: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "Looked at third. A secret key; makes a browser send a preflight.",
  },
};

/**
 * The OpenAPI 3.1 description of the API. Fields, codes and statuses come from the catalog that the
 * answers come from.
 */
export function openApiDocument(site: OpenApiSite) {
  const { apiUrl, docsUrl } = placeholders(site);
  return {
    openapi: "3.1.1",
    info: {
      title: "geolookup",
      version: "1",
      summary: "Tells a caller where its own IP address is.",
      description:
        "One read-only operation. The address that is looked up is the caller's own; none is sent. " +
        "Places are those of a city at best, derived from the address, and not of a device. " +
        "A place that is not known is never an error: it is a 200 with `partial` true.",
      license: { name: "MIT", identifier: "MIT" },
    },
    externalDocs: { url: docsUrl },
    servers: [{ url: apiUrl }],
    tags: [{ name: "Geolocation" }, { name: "Elsewhere", description: "What every other path answers." }],
    security: site.keyless.hourlyLimit === null ? KEY_PLACES : [{}, ...KEY_PLACES],
    paths: {
      "/v1/geo": lookupPath("V1", "The caller's geolocation record."),
      "/": lookupPath("Root", "Alias of /v1/geo."),
      "/{path}": {
        parameters: [{ name: "path", in: "path", required: true, schema: { type: "string" } }],
        get: {
          tags: ["Elsewhere"],
          operationId: "getElsewhere",
          summary: "No other endpoint exists.",
          description: ELSEWHERE,
          security: [],
          responses: errorReferences("", ELSEWHERE_STATUSES),
        },
        head: {
          tags: ["Elsewhere"],
          operationId: "headElsewhere",
          summary: "The same without the body.",
          security: [],
          responses: errorReferences("Head", ELSEWHERE_STATUSES),
        },
        options: preflight("Elsewhere", "preflightElsewhere"),
      },
    },
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: { fields: FIELDS_PARAMETER },
      schemas: { GeoRecord: recordSchema(), ...errorSchemas() },
      responses: { ...recordResponses(site), ...errorResponses(site) },
    },
  };
}

/** What is answered without a look-up: no endpoint, or more requests than the service can take. */
const ELSEWHERE_STATUSES = [404, 500];

const ELSEWHERE =
  "Every other path, of any depth, is answered so; and so is every method but GET, HEAD and OPTIONS on any path, " +
  "`/v1/geo` and `/` included. There is no 405, 408, 414, 417, 431 or 503: a request that cannot be read, is too " +
  "slow, has headers that are too large or has an `Expect` gets this 404 too, wherever it was sent, and its " +
  "connection is closed. What is beyond the service's capacity gets the 500.";

const FIELDS_PARAMETER = {
  name: "fields",
  in: "query",
  required: false,
  description:
    "Names of fields, separated by commas. Trims the answer to them; it never widens what the plan allows. Names that " +
    `are not known are ignored, and an empty list is as none. \`fields=country,city\`, for example, of ${FIELDS.map((name) => `\`${name}\``).join(", ")}.`,
  style: "form",
  explode: false,
  schema: { type: "array", items: { type: "string" } },
};

function lookupPath(id: string, summary: string) {
  const parameters = [{ $ref: "#/components/parameters/fields" }];
  return {
    get: {
      tags: ["Geolocation"],
      operationId: `locate${id}`,
      summary,
      parameters,
      responses: { 200: { $ref: "#/components/responses/Record" }, ...errorReferences() },
    },
    head: {
      tags: ["Geolocation"],
      operationId: `head${id}`,
      summary: "The same without the body. It counts as a request.",
      parameters,
      responses: { 200: { $ref: "#/components/responses/RecordHead" }, ...errorReferences("Head") },
    },
    options: preflight("Geolocation", `preflight${id}`),
  };
}

/** OPTIONS is answered on any path, at once, before anything else is looked at (contract, section 4.2). */
function preflight(tag: string, operationId: string) {
  return {
    tags: [tag],
    operationId,
    summary: "CORS preflight.",
    security: [],
    responses: { 204: { description: "What a page may send.", headers: PREFLIGHT_HEADERS } },
  };
}

function recordResponses({ keyless }: OpenApiSite) {
  const free = Object.fromEntries(FIELDS_OF.free.map((name) => [name, EXAMPLE_RECORD[name]]));
  return {
    Record: {
      description: "The record, limited to the plan's fields and to the `fields` asked for.",
      headers: RECORD_HEADERS,
      content: {
        [JSON_TYPE]: {
          schema: { $ref: "#/components/schemas/GeoRecord" },
          examples: {
            paid: { summary: "A plan with the paid fields", value: EXAMPLE_RECORD },
            free: {
              summary: `${keyless.hourlyLimit === null ? "A" : "No key, or a"} plan with the free fields`,
              value: free,
            },
            unknown: { summary: "An address of which nothing is known", value: UNKNOWN_FREE_RECORD },
          },
        },
      },
    },
    RecordHead: { description: "The headers of the record.", headers: RECORD_HEADERS },
  };
}
