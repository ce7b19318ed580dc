import { errorOf, expectCors, limitsOf, recordOf, withKey } from "./answers.ts";
import type { Answer, Sent } from "./ask.ts";
import { NotAsked } from "./not-asked.ts";
import { holds, type Point, type Smoke, same } from "./point.ts";

/** A caller of nobody's (RFC 5737), for where our X-Forwarded-For is believed. */
const SOME_CALLER = "203.0.113.77";
/** More requests than the hour has: a deployment without a limit ends here. */
const MAX_SPENT = 100;
/** A link that leads on more often leads nowhere. */
const MAX_REDIRECTS = 5;
/** A month that is used up here has at most so many requests. */
const MAX_SMALL = 100;

const notFound = (section: string, says: string, sent: Sent): Point => ({
  section,
  says,
  check: async ({ ask }) => void errorOf(await ask(sent), "not_found"),
});

/** Sections 4.2, 5 rule 2, 7 and 8: what holds around the operation. */
export const EDGE_POINTS: readonly Point[] = [
  notFound("4", "there is no POST", { method: "POST" }),
  notFound("4.1", "any other path answers 404 not_found", { path: "/v1/nowhere" }),
  notFound("9", "there is no other version", { path: "/v2/geo" }),
  ...["/v1/geo", "/", "/any/other/path"].map(
    (path): Point => ({
      section: "4.2, 8",
      says: `OPTIONS ${path} is answered at once, and may be kept for 86400 s`,
      async check({ ask }) {
        const answer = await ask({ method: "OPTIONS", path });
        holds(answer.status >= 200 && answer.status < 300, `the status is ${answer.status}`);
        same("Access-Control-Max-Age", answer.headers["access-control-max-age"], "86400");
        expectCors(answer);
      },
    }),
  ),
  {
    section: "4.2",
    says: "a preflight allows Authorization and X-API-Key",
    async check({ ask }) {
      const headers = {
        Origin: "https://page.example.com",
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "authorization",
      };
      const answer = await ask({ method: "OPTIONS", headers });
      const allowed = String(answer.headers["access-control-allow-headers"]).toLowerCase();
      for (const name of ["authorization", "x-api-key"]) holds(allowed.includes(name), `${name} is not allowed`);
    },
  },
  {
    section: "7",
    says: "the link in an error leads to a page about its code",
    async check(smoke) {
      const { docs } = errorOf(await smoke.ask({ path: "/v1/nowhere" }), "not_found");
      const { pathname, host } = new URL(docs);
      // The same deployment serves it; where its name leads somewhere else, it is asked there.
      const here = await smoke.ask({ path: pathname, host }).catch(() => undefined);
      const page =
        here?.status === 200 ? here : await pageAt(smoke, docs, MAX_REDIRECTS).catch((error) => here ?? error);
      if (page instanceof Error) throw page;
      holds(page.status === 200, `${docs} answers ${page.status}`);
      holds(page.text.includes("not_found"), `${docs} is about something else`);
    },
  },
  {
    section: "5 rule 2, 8",
    says: "a request without a key is served at the free tier, 60 an hour",
    async check(smoke) {
      const answer = await smoke.keyless();
      if (answer.status === 401) {
        errorOf(answer, "missing_key");
        throw new NotAsked("KEYLESS is off here: without a key the answer is missing_key");
      }
      if (answer.status === 429) errorOf(answer, "rate_limited");
      else
        same(
          "the fields",
          Object.keys(recordOf(answer))
            .filter((name) => name !== "partial")
            .sort(),
          ["continent", "country", "countryName"],
        );
      const { limit, resetUnixSeconds } = limitsOf(answer);
      same("X-RateLimit-Limit", limit, 60);
      const leftSeconds = resetUnixSeconds - smoke.clock() / 1000;
      holds(leftSeconds > -2 && leftSeconds <= 3_602, `X-RateLimit-Reset is ${Math.round(leftSeconds)} s from now`);
    },
  },
  {
    section: "8",
    says: "what is over the hour's limit is refused with rate_limited",
    async check(smoke) {
      if ((await smoke.keyless()).status === 401) throw new NotAsked("KEYLESS is off here");
      if (!smoke.believed && !smoke.spendHour)
        throw new NotAsked("would use up this machine's hour; do it with --spend-hour");
      await expectRefusedAfter(smoke, MAX_SPENT, { headers: { "X-Forwarded-For": SOME_CALLER } }, "rate_limited");
    },
  },
  {
    section: "8",
    says: "what is over the month's requests is refused with quota_exceeded",
    async check(smoke) {
      const sent = withKey(smoke.keys.small());
      const first = await smoke.ask(sent);
      if (first.status === 200 && limitsOf(first).limit > MAX_SMALL)
        throw new NotAsked(
          `the plan of --small-plan has ${limitsOf(first).limit} requests a month; at most ${MAX_SMALL} are used up`,
        );
      await expectRefusedAfter(smoke, MAX_SMALL + 1, sent, "quota_exceeded");
    },
  },
  {
    section: "7",
    says: "a fault of the service is internal_error",
    check: async () => {
      throw new NotAsked("cannot be provoked from outside");
    },
  },
];

async function pageAt({ askAt }: Pick<Smoke, "askAt">, address: string, redirects: number): Promise<Answer> {
  const { origin, pathname, search } = new URL(address);
  const answer = await askAt(origin)({ path: pathname + search });
  const { location } = answer.headers;
  if (location === undefined || redirects === 0 || answer.status < 300 || answer.status >= 400) return answer;
  return pageAt({ askAt }, new URL(location, address).href, redirects - 1);
}

async function expectRefusedAfter(
  { ask }: Smoke,
  requests: number,
  sent: Sent,
  code: "rate_limited" | "quota_exceeded",
): Promise<void> {
  for (let count = 0; count <= requests; count++) {
    const answer = await ask(sent);
    if (answer.status === 200) continue;
    errorOf(answer, code);
    same("X-RateLimit-Remaining", limitsOf(answer).remaining, 0);
    return;
  }
  throw new Error(`${requests} requests were all answered`);
}
