import { setTimeout as delay } from "node:timers/promises";
import { freshIpv4 } from "../../../harness/addresses.ts";
import { atRate } from "../at-rate.ts";
import { openSocket } from "../sockets.ts";
import type { Inside, Target } from "../target.ts";
import { type Attack, createTally } from "./attack.ts";

const ENOUGH_UNDER_WAY = 200;
const RESPONSE_TIMEOUT_MS = 20_000;
/** Counts are published once a second. */
const COUNTED_TIMEOUT_MS = 20_000;
const COUNTED_INTERVAL_MS = 200;
const RESPONSE = /HTTP\/1\.1 (\d{3}) [\s\S]*?\r\n\r\n/g;

/** Bytes that are sent in one segment, and the responses that may arrive before the connection ends. */
interface Case {
  what: string;
  bytes: (get: (...lines: string[]) => string) => string;
  /** The sequences of statuses that are correct. HAProxy's differ and are checked otherwise. */
  expected: readonly (readonly number[])[];
}

const CASES: readonly Case[] = [
  { what: "garbage after it", bytes: (get) => `${get()}garbage\r\n\r\n`, expected: [[200, 404]] },
  {
    what: "a bad request after it",
    bytes: (get) => `${get()}GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n`,
    expected: [[200, 404]],
  },
  { what: "Transfer-Encoding: gzip", bytes: (get) => get("Transfer-Encoding: gzip"), expected: [[404]] },
  {
    what: "a bad chunk",
    bytes: (get) => `${get("Transfer-Encoding: chunked")}zz\r\nnonsense\r\n`,
    // It depends on timing whether the response has begun by then.
    expected: [[200], [404]],
  },
  {
    what: "another one after an Upgrade",
    bytes: (get) => `${get("Upgrade: websocket", "Connection: Upgrade")}${get("Connection: close")}`,
    expected: [[200, 200]],
  },
];

/** No matter what bytes follow or corrupt a valid request, it gets at most one response, and only requests with one are counted. */
export function brokenFollowers({ connections, perSecond }: { connections: number; perSecond: number }): Attack {
  return {
    name: "broken-followers",
    about: `${connections.toLocaleString("en")} connections, each with a valid request that invalid bytes follow or corrupt`,
    async run(target, signal) {
      const tally = createTally();
      const wrong = createTally();
      const inside = target.inside;
      const { key, keyId } = await inside.issueKey({ plan: "paid" });
      const getFrom =
        (from: string) =>
        (...lines: string[]) =>
          `${[`GET /v1/geo?key=${key} HTTP/1.1`, "Host: a", `X-Forwarded-For: ${from}`, ...lines].join("\r\n")}\r\n\r\n`;
      const done = new AbortController();
      const underWay = new Set<Promise<void>>();
      await atRate(perSecond, AbortSignal.any([signal, done.signal]), (turn) => {
        if (turn >= connections) return done.abort();
        if (underWay.size >= ENOUGH_UNDER_WAY) return;
        const { what, bytes, expected } = CASES[turn % CASES.length] as Case;
        const from = freshIpv4();
        const sent = bytes(getFrom(from));
        const exchanged = exchange(target, sent, from).then((statuses) => {
          underWay.delete(exchanged);
          if (statuses === null) return tally.add("not connected");
          tally.add("connections");
          tally.add("complete 200s", statuses.filter((status) => status === 200).length);
          const isRight = target.isBehindHaproxy
            ? statuses.length <= 2 && !statuses.includes(0)
            : expected.some((right) => `${right}` === `${statuses}`);
          if (!isRight) wrong.add(`${what}: responses [${statuses}]`);
        });
        underWay.add(exchanged);
      });
      await Promise.all(underWay);
      const complete = tally.counts["complete 200s"] ?? 0;
      const counted = await countedAs(inside, keyId, complete);
      const problems = Object.entries(wrong.counts).map(([what, count]) => `${count} × ${what}`);
      if (counted !== complete) problems.push(`${complete} complete 200s, but ${counted} were counted`);
      return { tally: { ...tally.counts, counted }, problems };
    },
  };
}

/** Waits until a key has the expected usage, or for 20 s. @returns the last value. */
async function countedAs(inside: Inside, keyId: string, expected: number): Promise<number> {
  const deadlineMs = performance.now() + COUNTED_TIMEOUT_MS;
  for (;;) {
    const { total } = await inside.keys("usage", keyId);
    if (total === expected || performance.now() > deadlineMs) return total;
    await delay(COUNTED_INTERVAL_MS);
  }
}

/**
 * @param from the caller whose record each 200 must have.
 * @returns the statuses of all responses until the server closes the connection, 0 for a malformed one or another caller's; null
 * without a connection.
 */
async function exchange(target: Target, bytes: string, from: string): Promise<number[] | null> {
  const socket = await openSocket(target);
  if (!socket) return null;
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
  socket.setTimeout(RESPONSE_TIMEOUT_MS, () => socket.destroy());
  socket.write(bytes, "latin1");
  await new Promise((resolve) => socket.once("close", resolve));
  return statusesIn(text, from);
}

function statusesIn(text: string, from: string): number[] {
  const statuses: number[] = [];
  let end = 0;
  for (const match of text.matchAll(RESPONSE)) {
    if (match.index !== end) return [...statuses, 0];
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(match[0])?.[1]);
    const bodyStart = match.index + match[0].length;
    end = bodyStart + length;
    const isOwn = match[1] !== "200" || text.slice(bodyStart, end).includes(`"${from}"`);
    statuses.push(end <= text.length && isOwn ? Number(match[1]) : 0);
  }
  return end === text.length ? statuses : [...statuses, 0];
}
