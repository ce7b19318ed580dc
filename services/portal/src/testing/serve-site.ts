import { pino } from "pino";
import { Registry } from "prom-client";
import { openPortal } from "../server.ts";
import type { Site } from "../site.ts";

/** Serves the site of a deployment that tells this of itself, until `close`. */
export async function serveSite(site: Site) {
  const log = pino({ level: "silent" });
  const portal = await openPortal({
    host: "127.0.0.1",
    port: 0,
    site: () => site,
    console: { missing: ["ADMIN_TOKEN"] },
    log,
    registry: new Registry(),
  });
  const url = `http://127.0.0.1:${portal.port}`;
  return { get: (path: string) => fetch(url + path), close: portal.close };
}

/** Every value of an attribute in markup, character references resolved. */
export function attributes(markup: string, name: string): string[] {
  return [...markup.matchAll(new RegExp(` ${name}="([^"]*)"`, "g"))].map(([, value = ""]) => plain(value));
}

/** The text of markup: tags out, character references resolved. */
export function textOf(markup: string): string {
  return plain(markup.replace(/<[^>]*>/g, ""));
}

function plain(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}
