import { Registry } from "@prometheus-io/client";
import { pino } from "pino";
import type { DeploymentInfo } from "../deployment/deployment-info.ts";
import { openPortal } from "../server.ts";

/** Serves the docs site of this deployment until `close`. */
export async function servePortal(deployment: DeploymentInfo) {
  const log = pino({ level: "silent" });
  const portal = await openPortal({
    host: "127.0.0.1",
    port: 0,
    deployment: () => deployment,
    console: { missing: ["ADMIN_TOKEN"] },
    log,
    registry: new Registry(),
  });
  const url = `http://127.0.0.1:${portal.port}`;
  return {
    get: (path: string, init?: RequestInit) => fetch(url + path, init),
    [Symbol.asyncDispose]: portal[Symbol.asyncDispose],
  };
}

/** All values of an attribute in markup, with character references decoded. */
export function attributes(markup: string, name: string): string[] {
  return [...markup.matchAll(new RegExp(` ${name}="([^"]*)"`, "g"))].map(([, value = ""]) => plain(value));
}

/** The text of markup, without tags and with character references decoded. */
export function textOf(markup: string): string {
  return plain(markup.replace(/<[^>]*>/g, ""));
}

/** The named character references in rendered Markdown. */
const NAMED: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', amp: "&" };

function plain(text: string): string {
  return text.replace(/&(?:#(\d+)|(lt|gt|quot|amp));/g, (_, code, name) => NAMED[name] ?? String.fromCharCode(code));
}
