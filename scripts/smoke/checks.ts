import { setTimeout as delay } from "node:timers/promises";
import { FREE_FIELDS } from "./contract.ts";
import { ensure, expectError, expectFields, expectRecord, expectSame, limitsOf } from "./expect-response.ts";
import { Skipped, type SmokeKeys } from "./keys.ts";
import { withKey } from "./points.ts";
import type { Received, Send, Sent } from "./send.ts";

/** What the checks work with. */
export interface Smoke {
  send: Send;
  /** The same for another URL, from a link in a response. */
  sendTo(baseUrl: string): Send;
  /** Each throws Skipped if the key is missing. */
  keys: SmokeKeys;
  /** Whether the deployment trusts our X-Forwarded-For, so that we can be any caller. */
  isTrusted: boolean;
  /** Whether this caller's hour without a key may be used up. */
  spendHour: boolean;
  /** The response without a key. Requested once, since it costs one request of the hour. */
  keyless(): Promise<Received>;
  clock: () => number;
}

/** A point of the contract that takes more than one request, or depends on the caller. */
export interface Check {
  /** Of the contract. */
  section: string;
  says: string;
  /** @throws Error saying what differs; Skipped saying why it can't be tested here. */
  check(smoke: Smoke): Promise<void>;
}

/** What must be known for a complete place (contract 2.1 rule 4). */
const PLACE = ["country", "continent", "region", "city", "timezone", "latitude", "longitude"];
/** Countries whose regions aren't in the vendors' data. */
const WITHOUT_REGIONS = ["SG", "HK", "MO", "MC", "VA", "GI"];
/** An address for documentation (RFC 5737), for deployments that trust our X-Forwarded-For. */
const SOME_CALLER = "203.0.113.77";
/** More requests than the hourly limit, in case the deployment has none. */
const MAX_SPENT = 100;
/** Other gateways' counts take a second to be published, and another to be fetched. */
const COUNTED_WITHIN_MS = 10_000;
const RETRY_AFTER_MS = 200;
const MAX_REDIRECTS = 5;
/** Plans with more requests a month aren't used up. */
const MAX_SMALL = 100;

const paidRecord = async ({ send, keys }: Smoke) => expectRecord(await send(withKey(keys.paid())));

export const CHECKS: readonly Check[] = [
  {
    section: "2.1 rule 4",
    says: "partial is true if the location is incomplete, and otherwise absent",
    async check(smoke) {
      const record = await paidRecord(smoke);
      const unknown = PLACE.filter(
        (name) => record[name] === null && !(name === "region" && WITHOUT_REGIONS.includes(String(record.country))),
      );
      expectSame("partial", record.partial, unknown.length > 0 ? true : undefined);
    },
  },
  {
    section: "2.1",
    says: "latitude and longitude are decimal numbers in strings",
    async check(smoke) {
      const { latitude, longitude } = await paidRecord(smoke);
      if (latitude === null) throw new Skipped("the caller's location is unknown");
      for (const text of [latitude, longitude])
        ensure(/^-?\d{1,3}(\.\d+)?$/.test(String(text)), `${JSON.stringify(text)} isn't a decimal number`);
    },
  },
  {
    section: "1",
    says: "no parameter sets the address",
    async check(smoke) {
      const own = await paidRecord(smoke);
      const other = expectRecord(await smoke.send(withKey(smoke.keys.paid(), "&ip=8.8.8.8&address=8.8.8.8")));
      ensure(other.ip === own.ip, "the response is about the address in the query string");
    },
  },
  {
    section: "4, 9",
    says: "GET / is an alias",
    async check(smoke) {
      const alias = expectRecord(await smoke.send({ path: `/?key=${encodeURIComponent(smoke.keys.paid())}` }));
      ensure(JSON.stringify(alias) === JSON.stringify(await paidRecord(smoke)), "the response is different");
    },
  },
  {
    section: "8",
    says: "each request lowers a key's limit by one, and it resets at the end of the month (UTC)",
    async check({ send, keys, clock }) {
      const startedMs = clock();
      const first = limitsOf(await send(withKey(keys.paid())));
      ensure(first.remaining < first.limit, "X-RateLimit-Remaining doesn't count this request");
      let later = limitsOf(await send(withKey(keys.paid())));
      // Another gateway may have counted fewer of this key's requests so far. Gateways exchange their counts within seconds.
      while (later.remaining >= first.remaining && clock() < startedMs + COUNTED_WITHIN_MS) {
        await delay(RETRY_AFTER_MS);
        later = limitsOf(await send(withKey(keys.paid())));
      }
      const now = new Date(clock());
      const monthEnds = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) / 1000;
      expectSame("X-RateLimit-Reset", later.resetUnixSeconds, monthEnds);
      expectSame("X-RateLimit-Limit", later.limit, first.limit);
      ensure(later.remaining < first.remaining, `X-RateLimit-Remaining stays at ${later.remaining}`);
    },
  },
  {
    section: "7",
    says: "the link in an error leads to a page about its code",
    async check(smoke) {
      const { docs } = expectError(await smoke.send({ path: "/v1/nowhere" }), "not_found");
      const { pathname, host } = new URL(docs);
      // This deployment usually serves it. Otherwise, follow the link.
      const here = await smoke.send({ path: pathname, host }).catch(() => undefined);
      const page =
        here?.status === 200 ? here : await pageAt(smoke, docs, MAX_REDIRECTS).catch((error) => here ?? error);
      if (page instanceof Error) throw page;
      ensure(page.status === 200, `${docs} responds with ${page.status}`);
      ensure(page.text.includes("not_found"), `${docs} isn't about not_found`);
    },
  },
  {
    section: "5 rule 2, 8",
    says: "a request without a key is served at the free tier, 60 an hour",
    async check(smoke) {
      const received = await smoke.keyless();
      if (received.status === 401) {
        expectError(received, "missing_key");
        throw new Skipped("KEYLESS is off here: without a key the response is missing_key");
      }
      if (received.status === 429) expectError(received, "rate_limited");
      else expectFields(expectRecord(received), FREE_FIELDS);
      const { limit, resetUnixSeconds } = limitsOf(received);
      expectSame("X-RateLimit-Limit", limit, 60);
      const leftSeconds = resetUnixSeconds - smoke.clock() / 1000;
      ensure(leftSeconds > -2 && leftSeconds <= 3_602, `X-RateLimit-Reset is ${Math.round(leftSeconds)} s from now`);
    },
  },
  {
    section: "8",
    says: "requests over the hour's limit are refused with rate_limited",
    async check(smoke) {
      if ((await smoke.keyless()).status === 401) throw new Skipped("KEYLESS is off here");
      if (!smoke.isTrusted && !smoke.spendHour)
        throw new Skipped("would use up this machine's hour; use --spend-hour to do so");
      await expectRefusedAfter(smoke, MAX_SPENT, { headers: { "X-Forwarded-For": SOME_CALLER } }, "rate_limited");
    },
  },
  {
    section: "8",
    says: "requests over the month's quota are refused with quota_exceeded",
    async check(smoke) {
      const sent = withKey(smoke.keys.small());
      const first = await smoke.send(sent);
      if (first.status === 200 && limitsOf(first).limit > MAX_SMALL)
        throw new Skipped(
          `the plan of --small-plan has ${limitsOf(first).limit} requests a month, more than ${MAX_SMALL}`,
        );
      await expectRefusedAfter(smoke, MAX_SMALL + 1, sent, "quota_exceeded");
    },
  },
  {
    section: "7",
    says: "a fault of the service is internal_error",
    check: async () => {
      throw new Skipped("can't be provoked from outside");
    },
  },
];

async function pageAt({ sendTo }: Pick<Smoke, "sendTo">, address: string, redirects: number): Promise<Received> {
  const { origin, pathname, search } = new URL(address);
  const received = await sendTo(origin)({ path: pathname + search });
  const { location } = received.headers;
  if (location === undefined || redirects === 0 || received.status < 300 || received.status >= 400) return received;
  return pageAt({ sendTo }, new URL(location, address).href, redirects - 1);
}

async function expectRefusedAfter(
  { send }: Smoke,
  requests: number,
  sent: Sent,
  code: "rate_limited" | "quota_exceeded",
): Promise<void> {
  for (let count = 0; count <= requests; count++) {
    const received = await send(sent);
    if (received.status === 200) continue;
    expectError(received, code);
    expectSame("X-RateLimit-Remaining", limitsOf(received).remaining, 0);
    return;
  }
  throw new Error(`all ${requests} requests were served`);
}
