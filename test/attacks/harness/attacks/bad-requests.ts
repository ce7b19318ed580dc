import { readMetrics } from "../metrics.ts";
import type { Target } from "../target.ts";
import type { Attack } from "./attack.ts";
import { type FloodRequest, flood } from "./floods.ts";

const CONNECTIONS = 100;
const get = (path: string, ...lines: string[]) =>
  `GET ${path} HTTP/1.1\r\n${["Host: a", ...lines].join("\r\n")}\r\n\r\n`;

/** Every way to be refused without an issued key. */
const REQUESTS: readonly FloodRequest[] = [
  { bytes: get("/v1/geo?key=nonsense"), code: "malformed_key" },
  { bytes: get("/v1/geo?key="), code: "missing_key" },
  { bytes: get("/v1/geo", "Authorization: Bearer geo_sk_nonsense"), code: "malformed_key" },
  { bytes: get("/nowhere"), code: "not_found" },
  { bytes: get("/.env"), code: "not_found" },
  { bytes: "POST /v1/geo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}", code: "not_found" },
  { bytes: "GET /v1/geo HTTP/9.9\r\nHost: a\r\n\r\n", code: "not_found" },
  { bytes: "garbage\r\n\r\n", code: "not_found" },
];

/** The log has a budget, and the counters stay correct for requests that aren't logged. */
export function badRequests({ perSecond }: { perSecond: number }): Attack {
  return {
    name: "bad-requests",
    about: `${perSecond.toLocaleString("en")} bad requests a second: malformed HTTP, unknown paths, missing or malformed keys`,
    maxLogLinesPerSecond: 10,
    async run(target, signal) {
      const before = await responsesOf(target);
      const requestOf = (turn: number) => REQUESTS[turn % REQUESTS.length] as FloodRequest;
      const { tally, codes } = await flood(target, signal, { connections: CONNECTIONS, perSecond, requestOf });
      const after = await responsesOf(target);
      const problems: string[] = [];
      for (const [code, sent] of Object.entries(codes)) {
        const counted = (after.get(code) ?? 0) - (before.get(code) ?? 0);
        if (counted !== sent) problems.push(`${sent} responses were ${code}, but ${counted} were counted`);
      }
      if (codes.ok || codes.internal_error) problems.push(`bad requests got ${JSON.stringify(codes)}`);
      return { tally, problems };
    },
  };
}

async function responsesOf({ inside }: Target): Promise<ReadonlyMap<string, number>> {
  return (await readMetrics(inside.opsUrls)).responses;
}
