import type { ConsoleChoice } from "./settings.ts";

const THIS_MACHINE = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * What to warn of before the console is used over plain HTTP; null: nothing. Who reaches it how is in DOCS_URL alone: the
 * console takes forms from no other address, and behind a proxy that ends TLS it begins with https, too.
 */
export function withoutTls(console: ConsoleChoice, docsUrl: string | null): string | null {
  if (console === "off" || "missing" in console || docsUrl === null) return null;
  const { protocol, hostname } = new URL(docsUrl);
  if (protocol === "https:" || THIS_MACHINE.test(hostname)) return null;
  return (
    `the console at ${new URL("/console", docsUrl)} is reached without TLS: others can read the admin token on its way. ` +
    "Speak TLS (TLS_CERT_FILE, or a proxy in front) and set an https DOCS_URL, or leave the console out with CONSOLE=off"
  );
}
