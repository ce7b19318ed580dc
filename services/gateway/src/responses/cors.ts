/** Headers of every response, including errors, so that any page can read it (contract, section 4.2). */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Geolookup-Notice, X-Geolookup-Accuracy",
};
