/** What the headers of a response mean, in the order in which the demo lists them. */
export const HEADER_NOTES = {
  "X-RateLimit-Limit": "Requests included in this period.",
  "X-RateLimit-Remaining": "Requests left in this period.",
  "X-RateLimit-Reset": "When the period resets, in Unix seconds.",
  "Retry-After": "Seconds to wait before the next request.",
  "X-Geolookup-Accuracy": "How exact and how old the location is.",
  "X-Geolookup-Notice": "What the service ignored or did differently than you may expect.",
  "Cache-Control": "Browsers can reuse the response for 300 seconds. Shared caches don't store it.",
};

/** What `Cache-Control: no-store` of an error means. */
export const NO_STORE_NOTE = "Errors aren't cached.";
