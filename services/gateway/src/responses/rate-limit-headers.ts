/** What the X-RateLimit headers report (contract, section 4.1). */
export interface Allowance {
  /** Requests included in the period. */
  limit: number;
  remaining: number;
  resetUnixSeconds: number;
}

export function rateLimitHeaders({ limit, remaining, resetUnixSeconds }: Allowance): Record<string, string> {
  return {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String(resetUnixSeconds),
  };
}
