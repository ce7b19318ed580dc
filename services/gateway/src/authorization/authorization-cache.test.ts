import { hash } from "node:crypto";
import type { Authorization, Grant, KeyCheck } from "@geolookup/shared/domain/authorize.ts";
import type { KeyFollower } from "@geolookup/shared/domain/key-feed.ts";
import { expect } from "chai";
import { pino } from "pino";
import { Registry } from "prom-client";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { openVerdictCache } from "./authorization-cache.ts";
import type { PositionedAuthorization } from "./positioned-authorizer.ts";
import { MAX_REFUSED_KEYS } from "./refused-keys.ts";

/** How long a question to auth may take to come. */
const QUESTION_MS = 2_000;
const EPOCH = "epoch";
const CHECK: KeyCheck = { key: "geo_pk_1", origin: null, referer: null };

function grantOn(plan: string, origins: string[] = []): Grant {
  return { keyId: "key", kind: "publishable", plan, fields: "paid", monthlyRequests: 1, origins, display: "geo_pk_…" };
}

const granted = (plan: string, sequence: number): PositionedAuthorization => ({
  verdict: { outcome: "granted", grant: grantOn(plan) },
  position: { epoch: EPOCH, sequence },
});
const refused = (
  outcome: "bad_signature" | "unknown_key" | "revoked_key",
  sequence: number,
): PositionedAuthorization => ({
  verdict: { outcome },
  position: { epoch: EPOCH, sequence },
});

/** A cache whose auth answers when told to, and whose feed tells what it is told to. */
function open() {
  const questions: { check: KeyCheck; answer(verdict: PositionedAuthorization): void; fail(error: Error): void }[] = [];
  const registry = new Registry();
  const clock = { nowMs: 0 };
  const auth = { rules: "" };
  let rulesAsked = 0;
  let follower: KeyFollower | undefined;
  const cache = openVerdictCache({
    authorizer: {
      judge: (check) =>
        new Promise((resolve, reject) => {
          questions.push({ check, answer: resolve, fail: reject });
        }),
      rules: async () => {
        rulesAsked += 1;
        return auth.rules;
      },
    },
    rulesIntervalMs: 1,
    feed: {
      follow: (given) => {
        follower = given;
        return async () => {
          follower = undefined;
        };
      },
    },
    clock: () => clock.nowMs,
    log: pino({ level: "silent" }),
    registry,
  });
  if (!follower) throw new Error("the cache does not follow its feed");
  const feed = follower;
  feed.reset(EPOCH, 0);
  feed.live(true);
  return {
    cache,
    questions,
    feed,
    clock,
    /** Auth goes by other rules from now on; resolves once the cache has heard of it. */
    changeRules: async (name: string) => {
      auth.rules = name;
      const heardAt = rulesAsked + 2;
      while (rulesAsked < heardAt) await new Promise((resolve) => setTimeout(resolve, 1));
    },
    isFollowing: () => follower !== undefined,
    planChanged: (sequence: number) =>
      feed.event(
        { type: "KeyPlanChanged", keyId: "key", id: "", version: 2, at: "", by: "", data: { plan: "paid" } },
        { epoch: EPOCH, sequence },
      ),
    issued: (sequence: number) =>
      feed.event(
        {
          ...{ type: "KeyIssued", keyId: "key", id: "", version: 1, at: "", by: "" },
          data: {
            ...{ kind: "publishable", plan: "free", label: "", origins: [], display: "" },
            keySha256: hash("sha256", CHECK.key, "hex"),
          },
        },
        { epoch: EPOCH, sequence },
      ),
    revoked: (sequence: number) =>
      feed.event(
        { type: "KeyRevoked", keyId: "key", id: "", version: 2, at: "", by: "", data: { reason: "" } },
        { epoch: EPOCH, sequence },
      ),
    /** Answers one question after the other as they come, until the promise is settled. */
    answering: async <Result>(promise: Promise<Result> | Result, answers: PositionedAuthorization[]) => {
      for (const [index, answer] of answers.entries()) {
        await waitFor(`question ${index + 1}`, () => questions.length > index, QUESTION_MS);
        questions[index]?.answer(answer);
      }
      return promise;
    },
    metric: async (name: string) => (await registry.getSingleMetric(name)?.get())?.values[0]?.value,
  };
}

const planOf = (verdict: Authorization) => (verdict.outcome === "granted" ? verdict.grant.plan : verdict.outcome);

describe("openVerdictCache", () => {
  it("asks once for a key and answers at once from then on", async () => {
    const { cache, questions, answering, metric } = open();
    expect(planOf(await answering(cache.authorize(CHECK), [granted("free", 1)]))).to.equal("free");
    const second = cache.authorize(CHECK);
    expect(second).not.to.be.instanceOf(Promise);
    expect(planOf(second as Authorization)).to.equal("free");
    expect(questions).to.have.length(1);
    expect(await metric("geolookup_authorization_cache_hits_total")).to.equal(1);
    expect(await metric("geolookup_authorization_cache_misses_total")).to.equal(1);
    expect(await metric("geolookup_authorization_cache_entries")).to.equal(1);
    expect(await metric("geolookup_authorization_cache_feed_live")).to.equal(1);
  });

  it("shares one question between concurrent first requests, and decides the origin of each", async () => {
    const { cache, questions, answering } = open();
    const origins = ["https://a.example", "https://b.example", null];
    const verdicts = Promise.all(origins.map((origin) => cache.authorize({ ...CHECK, origin })));
    const grant = grantOn("free", ["https://b.example"]);
    const refusal: Authorization = { outcome: "origin_not_allowed", grant, refusedOrigin: "https://a.example" };
    await answering(verdicts, [{ verdict: refusal, position: { epoch: EPOCH, sequence: 1 } }]);
    expect(questions).to.have.length(1);
    expect(await verdicts).to.deep.equal([
      refusal,
      { outcome: "granted", grant },
      { outcome: "origin_not_allowed", grant, refusedOrigin: null },
    ]);
    const referer = "https://b.example/page";
    expect(cache.authorize({ ...CHECK, referer })).to.deep.equal({ outcome: "granted", grant });
  });

  it("knows of a revocation at once, whatever auth still says", async () => {
    const { cache, questions, revoked, answering } = open();
    await answering(cache.authorize(CHECK), [granted("free", 1)]);
    revoked(2);
    expect(cache.authorize(CHECK)).to.deep.equal({ outcome: "revoked_key" });
    expect(questions).to.have.length(1);
  });

  it("lets a revocation win over an answer that was under way", async () => {
    const { cache, revoked, answering } = open();
    const verdict = cache.authorize(CHECK);
    revoked(2);
    expect(await answering(verdict, [granted("free", 1)])).to.deep.equal({ outcome: "revoked_key" });
    expect(cache.authorize(CHECK)).to.deep.equal({ outcome: "revoked_key" });
  });

  it("asks again while auth is behind an event of the key", async () => {
    const { cache, planChanged, answering } = open();
    const verdict = cache.authorize(CHECK);
    planChanged(2);
    expect(planOf(await answering(verdict, [granted("free", 1), granted("free", 1), granted("paid", 2)]))).to.equal(
      "paid",
    );
    expect(planOf(cache.authorize(CHECK) as Authorization)).to.equal("paid");
  });

  it("makes do with an old answer in the end, and keeps nothing of it", async () => {
    const { cache, questions, planChanged, answering } = open();
    const verdict = cache.authorize(CHECK);
    planChanged(2);
    const old = granted("free", 1);
    expect(planOf(await answering(verdict, [old, old, old]))).to.equal("free");
    expect(cache.authorize(CHECK)).to.be.instanceOf(Promise);
    expect(questions).to.have.length(4);
  });

  it("asks again about a key that auth does not know yet", async () => {
    const { cache, answering } = open();
    const answers = [refused("unknown_key", 1), granted("free", 2)];
    expect(planOf(await answering(cache.authorize(CHECK), answers))).to.equal("free");
  });

  for (const outcome of ["bad_signature", "unknown_key"] as const) {
    const answer = { ...refused(outcome, 1), rules: "rules" };
    const answers = outcome === "unknown_key" ? [answer, answer, answer] : [answer];

    it(`immediately refuses a key that auth has just refused as ${outcome}`, async () => {
      const { cache, questions, clock, answering, changeRules, metric } = open();
      await changeRules("rules");
      expect(await answering(cache.authorize(CHECK), answers)).to.deep.equal({ outcome });
      // Longer than a refusal is valid without a live feed.
      clock.nowMs += 2_000;
      for (let count = 0; count < 1_000; count += 1) expect(cache.authorize(CHECK)).to.deep.equal({ outcome });
      expect(questions).to.have.length(answers.length);
      expect(await metric("geolookup_refused_key_cache_hits_total")).to.equal(1_000);
      expect(await metric("geolookup_refused_key_cache_entries")).to.equal(1);
      expect(await metric("geolookup_authorization_cache_entries")).to.equal(0);
    });

    it(`asks again about a key refused as ${outcome} once it is issued, the rules change, or the feed is lost`, async () => {
      const endings: readonly ((opened: ReturnType<typeof open>) => unknown)[] = [
        ({ issued }) => issued(2),
        ({ changeRules }) => changeRules("other"),
        ({ feed, clock }) => {
          feed.live(false);
          clock.nowMs += 1_000;
        },
      ];
      for (const end of endings) {
        const opened = open();
        await opened.changeRules("rules");
        await opened.answering(opened.cache.authorize(CHECK), answers);
        await end(opened);
        expect(opened.cache.authorize(CHECK)).to.be.instanceOf(Promise);
      }
    });
  }

  it("keeps a good key, however many bad ones are refused", async () => {
    const { cache, questions, answering } = open();
    await answering(cache.authorize(CHECK), [granted("free", 1)]);
    for (let number = 0; number < MAX_REFUSED_KEYS + 1; number += 1) {
      const verdict = cache.authorize({ ...CHECK, key: `bad ${number}` });
      questions.at(-1)?.answer(refused("bad_signature", 1));
      await verdict;
    }
    expect(planOf(cache.authorize(CHECK) as Authorization)).to.equal("free");
  });

  it("auth down: known keys go on, others fail, and are asked for again later", async () => {
    const { cache, questions, answering } = open();
    await answering(cache.authorize(CHECK), [granted("free", 1)]);
    const other = { ...CHECK, key: "geo_pk_2" };
    const failing = cache.authorize(other) as Promise<Authorization>;
    questions[1]?.fail(new Error("auth is down"));
    expect(await failing.catch((error: Error) => error.message)).to.equal("auth is down");
    expect(planOf(cache.authorize(CHECK) as Authorization)).to.equal("free");
    const again = cache.authorize(other);
    questions[2]?.answer(granted("paid", 1));
    expect(planOf(await again)).to.equal("paid");
  });

  it("NATS down: a verdict is asked for anew before 30 s have passed", async () => {
    const { cache, questions, feed, clock, answering, metric } = open();
    await answering(cache.authorize(CHECK), [granted("free", 1)]);
    clock.nowMs = 1_000_000;
    feed.live(false);
    expect(await metric("geolookup_authorization_cache_feed_live")).to.equal(0);
    clock.nowMs += 24_999;
    expect(cache.authorize(CHECK)).not.to.be.instanceOf(Promise);
    clock.nowMs += 5_000;
    const verdict = cache.authorize(CHECK);
    questions.at(-1)?.answer(refused("revoked_key", 2));
    expect(await verdict).to.deep.equal({ outcome: "revoked_key" });
  });

  it("renews a verdict beside its use: a grant that auth no longer gives ends there", async () => {
    const { cache, questions, clock, answering, changeRules } = open();
    await answering(cache.authorize(CHECK), [granted("free", 1)]);
    expect(planOf(cache.authorize(CHECK) as Authorization)).to.equal("free");
    expect(questions).to.have.length(1);
    await changeRules("other");
    expect(planOf(cache.authorize(CHECK) as Authorization)).to.equal("free");
    questions[1]?.fail(new Error("auth is down"));
    await new Promise((resolve) => setImmediate(resolve));
    clock.nowMs = 1_000;
    expect(planOf(cache.authorize(CHECK) as Authorization)).to.equal("free");
    expect(questions).to.have.length(3);
    questions[2]?.answer(refused("bad_signature", 1));
    await new Promise((resolve) => setImmediate(resolve));
    expect(cache.authorize(CHECK)).to.be.instanceOf(Promise);
  });

  it("counts what it drops by reason", async () => {
    const { cache, feed, planChanged, answering, metric } = open();
    await answering(cache.authorize(CHECK), [granted("free", 1)]);
    planChanged(2);
    expect(await metric("geolookup_authorization_cache_evictions_total")).to.equal(1);
    feed.reset("other", 0);
    expect(await metric("geolookup_authorization_cache_entries")).to.equal(0);
  });

  it("ends following when it is closed", async () => {
    const { cache, isFollowing } = open();
    await cache.close();
    expect(isFollowing()).to.equal(false);
  });
});
