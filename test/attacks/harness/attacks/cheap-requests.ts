import type { Attack } from "./attack.ts";
import { flood } from "./floods.ts";

const CONNECTIONS = 100;
/** Below and above the 16 kB that Node reads at most. */
const LONG = [12_000, 40_000];

/** Preflights need no key, no limit and no lookup, so they must be the cheapest requests. */
export function manyPreflights({ perSecond }: { perSecond: number }): Attack {
  const bytes = "OPTIONS /v1/geo HTTP/1.1\r\nHost: a\r\nOrigin: https://a.example\r\n\r\n";
  return {
    name: "preflights",
    about: `${perSecond.toLocaleString("en")} preflights a second`,
    async run(target, signal) {
      const requestOf = () => ({ bytes, code: null });
      const { tally } = await flood(target, signal, { connections: CONNECTIONS, perSecond, requestOf });
      return { tally, problems: [] };
    },
  };
}

export function hugeHeaders({ perSecond }: { perSecond: number }): Attack {
  return {
    name: "huge-headers",
    about: `${perSecond.toLocaleString("en")} requests a second with headers of ${LONG.map((bytes) => bytes / 1_000).join(" or ")} kB`,
    async run(target, signal) {
      const texts = LONG.map((length) => `GET /nowhere HTTP/1.1\r\nHost: a\r\nX-Long: ${"a".repeat(length)}\r\n\r\n`);
      const requestOf = (turn: number) => ({ bytes: texts[turn % texts.length] as string, code: "not_found" });
      const { tally } = await flood(target, signal, { connections: CONNECTIONS, perSecond, requestOf });
      return { tally, problems: [] };
    },
  };
}

/** Where these callers connect from: HAProxy accepts 2,000 connections from each address. */
const CALLERS = Array.from({ length: 16 }, (_, index) => `127.0.1.${index + 1}`);

/** Far more legitimate requests than the capacity: some are refused, but all get a response. */
export function honestOverload({ connections, perSecond }: { connections: number; perSecond: number }): Attack {
  return {
    name: "overload",
    about: `${perSecond.toLocaleString("en")} requests a second with a valid key, over ${connections.toLocaleString("en")} connections`,
    allowedStatuses: [500],
    docsMayFail: true,
    async run(target, signal) {
      const requestOf = () => ({ bytes: `GET /v1/geo?key=${target.key} HTTP/1.1\r\nHost: a\r\n\r\n`, code: null });
      const { tally } = await flood(target, signal, { connections, perSecond, requestOf, addresses: CALLERS });
      const unanswered = tally["no response"] ?? 0;
      return { tally, problems: unanswered > 0 ? [`${unanswered} requests got no response`] : [] };
    },
  };
}
