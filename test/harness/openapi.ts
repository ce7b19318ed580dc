import { openApiDocument } from "@geolookup/portal/openapi/document.ts";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import type { HttpResponse, Sent } from "./http.ts";

interface DescribedResponse {
  headers: Readonly<Record<string, { required?: boolean; schema: { type?: string } }>>;
  content?: Readonly<Record<string, { schema: object }>>;
}

type Operations = Readonly<Record<string, { responses: Readonly<Record<string, { $ref: string }>> } | undefined>>;

/** Headers that HTTP itself may add to any response. */
const HEADERS_OF_HTTP = new Set([
  ...["connection", "content-length", "content-type", "date", "keep-alive", "transfer-encoding"],
]);

/** Its schemas are the same for every deployment. */
const DOCUMENT = openApiDocument({
  ...{ apiUrl: null, docsUrl: null, plans: () => null },
  keyless: { hourlyLimit: 60, ipv6Prefix: 64 },
  site: { name: "Geolocation API", contact: null, terms: null, hasConsole: true },
});
const DOCUMENT_ID = "openapi.json";
const RESPONSES = "#/components/responses/";
const COMPONENTS: Readonly<Record<string, DescribedResponse>> = DOCUMENT.components.responses as never;

/** Of other paths and methods: unknown endpoint, or overload. */
const STATUSES_ELSEWHERE = [404, 500];

const always = (value: string) => ({ required: true, schema: { type: "string", const: value } });

/** Contract, section 4.2. */
const PREFLIGHT: DescribedResponse = {
  headers: {
    "Access-Control-Allow-Origin": always("*"),
    "Access-Control-Expose-Headers": COMPONENTS.Record?.headers["Access-Control-Expose-Headers"] ?? always(""),
    "Access-Control-Allow-Methods": always("GET, HEAD, OPTIONS"),
    "Access-Control-Allow-Headers": always("*, Authorization, X-API-Key"),
    "Access-Control-Max-Age": always("86400"),
  },
};

// OpenAPI's keywords around the schemas aren't in JSON Schema.
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajvFormats.default(ajv);
ajv.addSchema(DOCUMENT, DOCUMENT_ID);

const compiled = new Map<string, ValidateFunction>();

/**
 * Compares a response of the API with the OpenAPI description: status, headers (missing, wrong, or not
 * described), content type, body. Returns the differences.
 * @param sent the request. Responses of the docs host aren't described.
 */
export function mismatches(sent: Sent, response: Pick<HttpResponse, "status" | "headers" | "text">): string[] {
  const method = (sent.method ?? "GET").toLowerCase();
  const pathname = (sent.path ?? "/v1/geo").replace(/^https?:\/\/[^/?#]*/i, "").replace(/\?.*$/s, "") || "/";
  const described = describedResponse(pathname, method, response.status);
  if (described === null) return [`status ${response.status} is not described`];
  return [
    ...headerMismatches(described.pointer, described.response, response),
    ...bodyMismatches(described.pointer, described.response, method, response),
  ];
}

/**
 * The description covers GET. HEAD has the same headers; preflights and other requests are described in prose, and here.
 * @returns null if the operation has no such status.
 */
function describedResponse(pathname: string, method: string, status: number) {
  if (method === "options") return status === 204 ? { pointer: "preflight", response: PREFLIGHT } : null;
  const paths: Readonly<Record<string, Operations>> = DOCUMENT.paths as never;
  const operation = method === "get" || method === "head" ? paths[pathname]?.get : undefined;
  if (!operation && !STATUSES_ELSEWHERE.includes(status)) return null;
  const name = (operation ?? DOCUMENT.paths["/v1/geo"].get).responses[status as 200]?.$ref.replace(RESPONSES, "");
  const response = name === undefined ? undefined : COMPONENTS[name];
  return response && name !== undefined ? { pointer: name, response } : null;
}

function headerMismatches(
  pointer: string | null,
  { headers }: DescribedResponse,
  { headers: sent }: Pick<HttpResponse, "headers">,
): string[] {
  const problems: string[] = [];
  const known = new Map(Object.entries(headers).map(([name, header]) => [name.toLowerCase(), { name, header }]));
  for (const [lowerCase, { name, header }] of known) {
    const value = sent[lowerCase];
    if (value === undefined) {
      if (header.required) problems.push(`the header ${name} is missing`);
      continue;
    }
    const typed = header.schema.type === "integer" && /^\d+$/.test(String(value)) ? Number(value) : value;
    problems.push(...check(`${pointer} ${name}`, header.schema, typed, `the header ${name}: ${value}`));
  }
  for (const name of Object.keys(sent))
    if (!known.has(name) && !HEADERS_OF_HTTP.has(name)) problems.push(`the header ${name} is not described`);
  return problems;
}

function bodyMismatches(
  pointer: string | null,
  { content }: DescribedResponse,
  method: string,
  { headers, text }: Pick<HttpResponse, "headers" | "text">,
): string[] {
  if (method === "head" || content === undefined) return text === "" ? [] : ["a body is not described"];
  const type = String(headers["content-type"]).replace(/; charset=utf-8$/, "");
  const described = content[type];
  if (!described) return [`the content type ${type} is not described`];
  return check(`${pointer} ${type}`, described.schema, JSON.parse(text), "the body");
}

/** @param name the name of the schema, which is compiled once. */
function check(name: string, schema: object, value: unknown, what: string): string[] {
  const validate = compiled.get(name) ?? ajv.compile(absolute(schema));
  compiled.set(name, validate);
  if (validate(value)) return [];
  return [`${what}: ${ajv.errorsText(validate.errors, { dataVar: "it" })}`];
}

function absolute(schema: object): object {
  return "$ref" in schema ? { $ref: `${DOCUMENT_ID}${schema.$ref}` } : schema;
}
