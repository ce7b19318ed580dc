import { once } from "node:events";
import { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { UNKNOWN_TEXT } from "@geolookup/shared/domain/record-text.ts";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { KEY, startSmallApp } from "../../testing/small-app.ts";

export const TARGET = `/v1/geo?key=${KEY}`;
export const CLOSE = "Connection: close";
export const TIMEOUT_MS = 20_000;

/** A request in the form of the fast path. */
export function get(target: string, ...lines: string[]): string {
  return [`GET ${target} HTTP/1.1`, "Host: a", ...lines, "", ""].join("\r\n");
}

/** The small app, and for each lookup so far, whether it came by the fast path. */
export async function startFastApp(options: Parameters<typeof startSmallApp>[0] = {}) {
  const fast: boolean[] = [];
  const addressOf = (req: object) => {
    fast.push(!(req instanceof IncomingMessage));
    return "192.0.2.7";
  };
  return { ...(await startSmallApp({ addressOf, ...options })), fast };
}

/** A locator whose lookups take until `release` is called. */
export function slowLocator() {
  const released: (() => void)[] = [];
  const locate = () =>
    new Promise<{ record: typeof UNKNOWN_TEXT; reason: "not_found" }>((resolve) =>
      released.push(() => resolve({ record: UNKNOWN_TEXT, reason: "not_found" })),
    );
  return {
    locator: { locate },
    waiting: (count: number) => waitFor(`lookup ${count}`, () => released.length >= count, TIMEOUT_MS),
    release: () => released.shift()?.(),
  };
}

/** The status lines of responses, without reasons. */
export function statuses(text: string): string[] {
  return text.match(/HTTP\/1\.1 \d{3}/g) ?? [];
}

/** What arrives next on a connection. */
export async function nextResponse(socket: Socket): Promise<string> {
  const [chunk] = (await once(socket, "data")) as [Buffer];
  return chunk.toString("latin1");
}
