/** What every page allows, and no page less: nothing from other hosts, nothing inline, no frame around it. */
const DIRECTIVES = {
  "default-src": "'none'",
  "style-src": "'self'",
  "img-src": "data:",
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
 * The headers that keep a page to itself.
 * @param more directives that a page has besides, or in place of the strictest.
 */
export function securityHeaders(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const directives = Object.entries({ ...DIRECTIVES, ...more }).map(([name, value]) => `${name} ${value}`);
  return { "Content-Security-Policy": directives.join("; "), ...OTHER_HEADERS };
}

/** What pages with scripts allow: the site's own, and requests to the API. */
export function scriptDirectives(apiUrl: string | null): Record<string, string> {
  const api = apiUrl === null ? "" : ` ${new URL(apiUrl).origin}`;
  return { "script-src": "'self'", "connect-src": `'self'${api}` };
}
