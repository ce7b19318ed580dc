/** A header that is always there, described by its schema. */
function always(description: string, schema: object) {
  return { description, required: true, schema };
}

const WHOLE_NUMBER = { type: "integer", minimum: 0 };
const text = (value: string) => ({ type: "string", const: value });

const CORS = {
  "Access-Control-Allow-Origin": always("Any page may read the answer, errors too.", text("*")),
  "Access-Control-Expose-Headers": always(
    "What a page may read besides the body.",
    text("X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After"),
  ),
};

const RATE_LIMIT = {
  "X-RateLimit-Limit": always(
    "Requests included in this period: an hour without a key, a month with one.",
    WHOLE_NUMBER,
  ),
  "X-RateLimit-Remaining": always("Requests left in this period.", WHOLE_NUMBER),
  "X-RateLimit-Reset": always("When the period resets, in Unix seconds.", WHOLE_NUMBER),
};

/** Of an answer to a limit that is reached. */
const NOTHING_LEFT = {
  "X-RateLimit-Limit": always(
    "The limit that was reached: requests in an hour, a second (`rate_limited`), or a month (`quota_exceeded`).",
    WHOLE_NUMBER,
  ),
  "X-RateLimit-Remaining": always("Nothing is left in this period.", { type: "integer", const: 0 }),
  "X-RateLimit-Reset": always("When a request is admitted again, in Unix seconds.", WHOLE_NUMBER),
};

const NO_STORE = { "Cache-Control": always("An error is not to be kept.", text("no-store")) };

/** Of a record. */
export const RECORD_HEADERS = {
  ...RATE_LIMIT,
  "Cache-Control": always("The caller's own cache may keep it for 300 seconds.", text("private, max-age=300")),
  Vary: always("What the answer depends on besides the URL.", text("Origin, Authorization, X-API-Key")),
  ...CORS,
};

/** Of a preflight's answer. */
export const PREFLIGHT_HEADERS = {
  ...CORS,
  "Access-Control-Allow-Methods": always("Methods that a page may use.", text("GET, HEAD, OPTIONS")),
  "Access-Control-Allow-Headers": always("Headers that a page may send a key in.", text("Authorization, X-API-Key")),
  "Access-Control-Max-Age": always("A browser may keep this answer for a day.", { type: "integer", const: 86_400 }),
};

/** Of an error, by its HTTP status. */
export function errorHeaders(status: number) {
  const retry = { "Retry-After": always("Seconds to wait before the next attempt.", { type: "integer", minimum: 1 }) };
  if (status === 429) return { ...NOTHING_LEFT, ...retry, ...NO_STORE, ...CORS };
  return status === 500 ? { ...retry, ...NO_STORE, ...CORS } : { ...NO_STORE, ...CORS };
}
