import type { ConsoleChoice } from "./settings.ts";

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * A warning if the console is used over plain HTTP, or null. DOCS_URL decides: the console accepts forms only from that address,
 * and it starts with https even if a proxy terminates TLS.
 */
export function withoutTls(console: ConsoleChoice, docsUrl: string | null): string | null {
  if (console === "off" || "missing" in console || docsUrl === null) return null;
  const { protocol, hostname } = new URL(docsUrl);
  if (protocol === "https:" || LOOPBACK.test(hostname)) return null;
  return (
    `the console at ${new URL("/console", docsUrl)} is served without TLS, so the admin token can be intercepted. Set up ` +
    "TLS (TLS_CERT_FILE or a proxy) with an https DOCS_URL, or disable the console with CONSOLE=off"
  );
}
