/** The strictest policy: nothing from other hosts, nothing inline, no framing. */
const DIRECTIVES = {
  "default-src": "'none'",
  "style-src": "'self'",
  "img-src": "data:",
  "font-src": "'self'",
  "base-uri": "'none'",
  "form-action": "'none'",
  "frame-ancestors": "'none'",
};

const OTHER_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
};

/**
 * The security headers of a page.
 * @param more directives that are added to the strictest policy, or replace parts of it.
 */
export function securityHeaders(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const directives = Object.entries({ ...DIRECTIVES, ...more }).map(([name, value]) => `${name} ${value}`);
  return { "Content-Security-Policy": directives.join("; "), ...OTHER_HEADERS };
}

/** Directives for pages with scripts: the site's own scripts, and requests to the API. */
export function scriptDirectives(apiUrl: string | null): Record<string, string> {
  const api = apiUrl === null ? "" : ` ${new URL(apiUrl).origin}`;
  return { "script-src": "'self'", "connect-src": `'self'${api}` };
}
