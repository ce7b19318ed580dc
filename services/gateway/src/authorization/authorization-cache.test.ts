import type { Authorization } from "@geolookup/shared/domain/authorize.ts";
import type { KeyEvent } from "@geolookup/shared/domain/key-event.ts";
import { expect } from "chai";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import type { PositionedAuthorization } from "./positioned-authorizer.ts";
import { MAX_REFUSED_KEYS } from "./refused-keys.ts";
import {
  CHECK,
  EPOCH,
  granted,
  grantOn,
  keyOf,
  openControlledCache as open,
  refused,
} from "./testing/controlled-cache.ts";

const DEADLINE_MS = 2_000;
const planOf = (authorization: Authorization) =>
  authorization.outcome === "granted" ? authorization.grant.plan : authorization.outcome;

describe("openAuthorizationCache", () => {
  it("asks auth once for a key, then responds synchronously", async () => {
    const { cache, requests, responding, metric } = open();
    expect(planOf(await responding(cache.authorize(CHECK), [granted("free", 1)]))).to.equal("free");
    const second = cache.authorize(CHECK);
    expect(second).not.to.be.instanceOf(Promise);
    expect(planOf(second as Authorization)).to.equal("free");
    expect(requests).to.have.length(1);
    expect(await metric("geolookup_authorization_cache_hits_total")).to.equal(1);
    expect(await metric("geolookup_authorization_cache_misses_total")).to.equal(1);
    expect(await metric("geolookup_authorization_cache_entries")).to.equal(1);
    expect(await metric("geolookup_authorization_cache_feed_live")).to.equal(1);
  });

  it("shares one request among concurrent lookups, and checks the origin of each", async () => {
    const { cache, requests, responding } = open();
    const origins = ["https://a.example", "https://b.example", null];
    const authorizations = Promise.all(origins.map((origin) => cache.authorize({ ...CHECK, origin })));
    const grant = grantOn("free", ["https://b.example"]);
    const refusal: Authorization = { outcome: "origin_not_allowed", grant, refusedOrigin: "https://a.example" };
    await responding(authorizations, [{ authorization: refusal, position: { epoch: EPOCH, sequence: 1 } }]);
    expect(requests).to.have.length(1);
    expect(await authorizations).to.deep.equal([
      refusal,
      { outcome: "granted", grant },
      { outcome: "origin_not_allowed", grant, refusedOrigin: null },
    ]);
    const referer = "https://b.example/page";
    expect(cache.authorize({ ...CHECK, referer })).to.deep.equal({ outcome: "granted", grant });
  });

  it("asks again while auth is behind a key event", async () => {
    const { cache, planChanged, responding } = open();
    const authorization = cache.authorize(CHECK);
    planChanged(2);
    expect(
      planOf(await responding(authorization, [granted("free", 1), granted("free", 1), granted("paid", 2)])),
    ).to.equal("paid");
    expect(planOf(cache.authorize(CHECK) as Authorization)).to.equal("paid");
  });

  it("finally uses a stale response, without caching it", async () => {
    const { cache, requests, planChanged, responding } = open();
    const authorization = cache.authorize(CHECK);
    planChanged(2);
    const old = granted("free", 1);
    expect(planOf(await responding(authorization, [old, old, old]))).to.equal("free");
    expect(cache.authorize(CHECK)).to.be.instanceOf(Promise);
    expect(requests).to.have.length(4);
  });

  it("asks again about a key that auth doesn't know yet", async () => {
    const { cache, responding } = open();
    const responses = [refused("unknown_key", 1), granted("free", 2)];
    expect(planOf(await responding(cache.authorize(CHECK), responses))).to.equal("free");
  });

  for (const outcome of ["bad_signature", "unknown_key"] as const) {
    const response = { ...refused(outcome, 1), rules: "rules" };
    const responses = outcome === "unknown_key" ? [response, response, response] : [response];

    it(`immediately refuses a key that auth has just refused as ${outcome}`, async () => {
      const { cache, requests, clock, responding, changeAuth, metric } = open();
      await changeAuth({ rules: "rules" });
      expect(await responding(cache.authorize(CHECK), responses)).to.deep.equal({ outcome });
      // Longer than a refusal is valid without a live feed.
      clock.nowMs += 2_000;
      for (let count = 0; count < 1_000; count += 1) expect(cache.authorize(CHECK)).to.deep.equal({ outcome });
      expect(requests).to.have.length(responses.length);
      expect(await metric("geolookup_refused_key_cache_hits_total")).to.equal(1_000);
      expect(await metric("geolookup_refused_key_cache_entries")).to.equal(1);
      expect(await metric("geolookup_authorization_cache_entries")).to.equal(0);
    });

    it(`asks again about a key refused as ${outcome} once it is issued, the rules change, or the feed is lost`, async () => {
      const endings: readonly ((opened: ReturnType<typeof open>) => unknown)[] = [
        ({ issued }) => issued(2),
        ({ changeAuth }) => changeAuth({ rules: "other" }),
        ({ feed, clock }) => {
          feed.live(false);
          clock.nowMs += 1_000;
        },
      ];
      for (const end of endings) {
        const opened = open();
        await opened.changeAuth({ rules: "rules" });
        await opened.responding(opened.cache.authorize(CHECK), responses);
        await end(opened);
        expect(opened.cache.authorize(CHECK)).to.be.instanceOf(Promise);
      }
    });
  }

  it("keeps the grant of a key that has ended, while auth is down too, until an event can revive it", async () => {
    const { cache, requests, clock, feed, responding, changeAuth } = open();
    const grant = { ...grantOn("free"), customer: "acme", ends: { atMs: 0, how: "disabled" as const } };
    const response: PositionedAuthorization = {
      authorization: { outcome: "unknown_key", end: { how: "disabled", at: "1970-01-01T00:00:00.000Z" }, grant },
      position: { epoch: EPOCH, sequence: 1 },
    };
    await responding(cache.authorize(CHECK), [response]);
    await changeAuth({ isReached: false });
    clock.nowMs = 1_000_000;
    expect(cache.authorize(CHECK)).to.deep.equal({ outcome: "granted", grant });
    requests[1]?.fail(new Error("auth is down"));
    const enabled = {
      ...{ type: "CustomerEnabled", keyId: "customer_acme", id: "", version: 2, at: "", by: "" },
      data: {},
    };
    feed.event(enabled as KeyEvent, { epoch: EPOCH, sequence: 2 });
    expect(cache.authorize(CHECK)).to.be.instanceOf(Promise);
  });

  it("refuses what can't be a key, without asking auth or caching it", async () => {
    const { cache, requests, metric } = open();
    for (const key of ["", "geo_pk_1", `${CHECK.key}1`, CHECK.key.slice(0, -1), CHECK.key.replace("pk", "xk")])
      expect(cache.authorize({ ...CHECK, key }), key).to.deep.equal({ outcome: "malformed_key" });
    expect(requests).to.deep.equal([]);
    expect(await metric("geolookup_authorization_cache_misses_total")).to.equal(0);
    expect(await metric("geolookup_refused_key_cache_entries")).to.equal(0);
  });

  it("keeps a valid key, however many bad ones are refused", async () => {
    const { cache, requests, responding } = open();
    await responding(cache.authorize(CHECK), [granted("free", 1)]);
    for (let number = 0; number < MAX_REFUSED_KEYS + 1; number += 1) {
      const authorization = cache.authorize({ ...CHECK, key: keyOf(number + 2) });
      requests.at(-1)?.respond(refused("bad_signature", 1));
      await authorization;
    }
    expect(planOf(cache.authorize(CHECK) as Authorization)).to.equal("free");
  });

  it("auth down: cached keys are served, others fail and are requested again later", async () => {
    const { cache, requests, responding } = open();
    await responding(cache.authorize(CHECK), [granted("free", 1)]);
    const other = { ...CHECK, key: keyOf(2) };
    const failing = cache.authorize(other) as Promise<Authorization>;
    requests[1]?.fail(new Error("auth is down"));
    expect(await failing.catch((error: Error) => error.message)).to.equal("auth is down");
    expect(planOf(cache.authorize(CHECK) as Authorization)).to.equal("free");
    const again = cache.authorize(other);
    requests[2]?.respond(granted("paid", 1));
    expect(planOf(await again)).to.equal("paid");
  });

  it("feed lost: auth is asked again within 30 s", async () => {
    const { cache, requests, feed, clock, responding, metric } = open();
    await responding(cache.authorize(CHECK), [granted("free", 1)]);
    clock.nowMs = 1_000_500;
    feed.complete(1, 500);
    clock.nowMs = 1_000_000;
    feed.live(false);
    expect(await metric("geolookup_authorization_cache_feed_live")).to.equal(0);
    clock.nowMs += 24_999;
    expect(cache.authorize(CHECK)).not.to.be.instanceOf(Promise);
    clock.nowMs += 5_000;
    const authorization = cache.authorize(CHECK);
    const { position } = refused("unknown_key", 2);
    requests.at(-1)?.respond({ authorization: { outcome: "revoked_key", keyId: "key" }, position });
    expect(await authorization).to.deep.equal({ outcome: "revoked_key", keyId: "key" });
    expect(cache.authorize(CHECK), "from the cache").to.deep.equal({ outcome: "revoked_key", keyId: "key" });
  });

  it("feed lost, and no auth node has every event: known keys keep working, and are refreshed in the background", async () => {
    const { cache, requests, clock, responding, changeAuth } = open();
    await responding(cache.authorize(CHECK), [granted("free", 1)]);
    await changeAuth({ isReached: false });
    clock.nowMs = 1_000_000;
    expect(planOf(cache.authorize(CHECK) as Authorization)).to.equal("free");
    requests[1]?.respond({ ...refused("unknown_key", 5), ageMs: Number.POSITIVE_INFINITY });
    await waitFor("it to be asked again", () => requests.length > 2, DEADLINE_MS);
    requests[2]?.respond({ ...granted("paid", 5), ageMs: Number.POSITIVE_INFINITY });
    await waitFor("the refresh", () => planOf(cache.authorize(CHECK) as Authorization) === "paid", DEADLINE_MS);
    expect(requests).to.have.length(3);
    await changeAuth({ isReached: true });
    expect(cache.authorize(CHECK)).to.be.instanceOf(Promise);
  });

  it("refreshes a cached authorization in the background, and drops a grant that auth no longer gives", async () => {
    const { cache, requests, clock, responding, changeAuth } = open();
    await responding(cache.authorize(CHECK), [granted("free", 1)]);
    expect(planOf(cache.authorize(CHECK) as Authorization)).to.equal("free");
    expect(requests).to.have.length(1);
    await changeAuth({ rules: "other" });
    expect(planOf(cache.authorize(CHECK) as Authorization)).to.equal("free");
    requests[1]?.fail(new Error("auth is down"));
    await new Promise((resolve) => setImmediate(resolve));
    clock.nowMs = 1_000;
    expect(planOf(cache.authorize(CHECK) as Authorization)).to.equal("free");
    expect(requests).to.have.length(3);
    requests[2]?.respond(refused("bad_signature", 1));
    await new Promise((resolve) => setImmediate(resolve));
    expect(cache.authorize(CHECK)).to.be.instanceOf(Promise);
  });

  it("counts evictions by reason", async () => {
    const { cache, feed, planChanged, responding, metric } = open();
    await responding(cache.authorize(CHECK), [granted("free", 1)]);
    planChanged(2);
    expect(await metric("geolookup_authorization_cache_evictions_total")).to.equal(1);
    feed.reset("other", 0);
    expect(await metric("geolookup_authorization_cache_entries")).to.equal(0);
  });

  it("stops following on close", async () => {
    const { cache, isFollowing } = open();
    await cache[Symbol.asyncDispose]();
    expect(isFollowing()).to.equal(false);
  });
});
