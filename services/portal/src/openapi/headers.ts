import { HEADERS, RECORD_CACHE_CONTROL } from "@geolookup/shared/domain/catalog.ts";

/** What the description uses of JSON Schema. */
export interface Schema {
  type?: string | readonly string[];
  description?: string;
  const?: unknown;
  enum?: readonly unknown[];
  pattern?: string;
  minimum?: number;
  maxLength?: number;
}

/** A header of a response, as OpenAPI describes it. */
export interface Header {
  description: string;
  required?: boolean;
  schema: Schema;
}

function always(description: string, schema: Header["schema"]): Header {
  return { description, required: true, schema };
}

const WHOLE_NUMBER = { type: "integer", minimum: 0 };
const text = (value: string) => ({ type: "string", const: value });

const CORS = {
  "Access-Control-Allow-Origin": always("Any web page can read the response, including errors.", text("*")),
  "Access-Control-Expose-Headers": always("Headers that a web page can read.", text(Object.keys(HEADERS).join(", "))),
};

const RATE_LIMIT = {
  "X-RateLimit-Limit": always(HEADERS["X-RateLimit-Limit"], WHOLE_NUMBER),
  "X-RateLimit-Remaining": always(HEADERS["X-RateLimit-Remaining"], WHOLE_NUMBER),
  "X-RateLimit-Reset": always(HEADERS["X-RateLimit-Reset"], WHOLE_NUMBER),
};

/** When a limit was reached. */
const LIMIT_REACHED = {
  "X-RateLimit-Limit": always(
    "The limit that was reached: requests per hour or second (`rate_limited`), or per month (`quota_exceeded`).",
    WHOLE_NUMBER,
  ),
  "X-RateLimit-Remaining": always("No requests are left in this period.", { type: "integer", const: 0 }),
  "X-RateLimit-Reset": always("When requests are accepted again, in Unix seconds.", WHOLE_NUMBER),
};

const NO_STORE = { "Cache-Control": always("Errors aren't cached.", text("no-store")) };

const NOTICE = {
  "X-Geolookup-Notice": {
    description: HEADERS["X-Geolookup-Notice"],
    schema: { type: "string", pattern: "^[ -~]+$", maxLength: 200 },
  },
} as const;

/** The headers of a record. */
export const RECORD_HEADERS: Readonly<Record<string, Header>> = {
  ...RATE_LIMIT,
  "Cache-Control": always("The client can cache the response for 300 seconds.", text(RECORD_CACHE_CONTROL)),
  Vary: always("Request headers that the response depends on. Includes `X-Forwarded-For` if the service read it.", {
    type: "string",
    enum: ["Origin, Authorization, X-API-Key", "Origin, Authorization, X-API-Key, X-Forwarded-For"],
  }),
  ...NOTICE,
  "X-Geolookup-Accuracy": {
    description: HEADERS["X-Geolookup-Accuracy"],
    schema: {
      type: "string",
      pattern:
        "^(radius=[0-9]+|anycast|built=[0-9]{4}-[0-9]{2}-[0-9]{2})(; (anycast|built=[0-9]{4}-[0-9]{2}-[0-9]{2}))*$",
    },
  },
  ...CORS,
};

/** The headers of an error with this HTTP status. */
export function errorHeaders(status: number): Record<string, Header> {
  const retry = { "Retry-After": always(HEADERS["Retry-After"], { type: "integer", minimum: 1 }) };
  const common = { ...NO_STORE, ...CORS };
  if (status === 404) return common;
  if (status === 429) return { ...LIMIT_REACHED, ...retry, ...NOTICE, ...common };
  return status === 500 ? { ...retry, ...NOTICE, ...common } : { ...NOTICE, ...common };
}
