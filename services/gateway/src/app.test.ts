import { IncomingMessage, ServerResponse } from "node:http";
import type { Authorization, Grant } from "@geolookup/shared/domain/authorize.ts";
import type { ErrorBody } from "@geolookup/shared/domain/error-messages.ts";
import { UNKNOWN_TEXT } from "@geolookup/shared/domain/record-text.ts";
import { expect } from "chai";
import { GRANT, KEY, startSmallApp } from "./testing/small-app.ts";

const LIMITS = { perCallerHourly: 60, rate: { perSecond: 10, burst: 10 } };

describe("a lookup's response", () => {
  let app: Awaited<ReturnType<typeof startSmallApp>>;
  afterEach(() => app[Symbol.asyncDispose]());

  it("is sent once its count is written, and not before", async () => {
    const counted = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    app = await startSmallApp({
      count: () => {
        counted.resolve();
        return written.promise;
      },
    });
    const response = fetch(`${app.url}/v1/geo?key=${KEY}`);
    await counted.promise;
    // A response that didn't wait for the count would be sent by now.
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
    expect(app.inFlight()).to.equal(1);
    written.resolve();
    expect((await response).status).to.equal(200);
  });

  const ENDINGS: [what: string, ends: NonNullable<Grant["ends"]>, code: string | undefined][] = [
    ["that ends in a millisecond", { atMs: 1, how: "expired" }, undefined],
    ["that ends now", { atMs: 0, how: "expired" }, "unknown_key"],
    ["that is rotated out in a millisecond", { atMs: 1, how: "rotated" }, undefined],
    ["that is rotated out now", { atMs: 0, how: "rotated" }, "unknown_key"],
    ["that was disabled, by a clock that is ahead of this one", { atMs: 1, how: "disabled" }, "unknown_key"],
  ];
  for (const [what, ends, code] of ENDINGS)
    it(`to a key ${what}, is ${code ?? "a record"}, whatever its origin`, async () => {
      const grant = { ...GRANT, ends };
      let authorization: Authorization = { outcome: "granted", grant };
      app = await startSmallApp({ parts: { authorizer: { authorize: () => authorization } } });
      const codeNow = async () =>
        ((await (await fetch(`${app.url}/v1/geo?key=${KEY}`)).json()) as ErrorBody).error?.code;
      expect(await codeNow()).to.equal(code);
      authorization = { outcome: "origin_not_allowed", grant, refusedOrigin: null };
      expect(await codeNow()).to.equal(code ?? "origin_not_allowed");
      expect(app.counted()).to.equal(code ? 0 : 1);
    });

  it("with an error is counted as a refusal of the key, if that is known", async () => {
    const refused: [keyId: string, code: string][] = [];
    let authorization: Authorization = { outcome: "granted", grant: GRANT };
    app = await startSmallApp({
      parts: {
        authorizer: { authorize: () => authorization },
        refusals: { count: (keyId, code) => refused.push([keyId, code]) },
        meter: {
          admit: () => ({ admitted: false, limit: 10, isShared: false, resetUnixSeconds: 0 }),
          [Symbol.asyncDispose]: async () => {},
        },
      },
    });
    const refuse = async (next: Authorization) => {
      authorization = next;
      await (await fetch(`${app.url}/v1/geo?key=${KEY}`)).arrayBuffer();
    };
    await refuse({ outcome: "granted", grant: GRANT });
    await refuse({ outcome: "origin_not_allowed", grant: GRANT, refusedOrigin: null });
    await refuse({ outcome: "unknown_key" });
    await refuse({ outcome: "revoked_key", keyId: "key2" });
    await refuse({ outcome: "granted", grant: { ...GRANT, ends: { atMs: 0, how: "expired" } } });
    await (await fetch(`${app.url}/v1/geo`)).arrayBuffer();
    expect(refused).to.deep.equal([
      ["key1", "quota_exceeded"],
      ["key1", "origin_not_allowed"],
      ["key2", "revoked_key"],
      ["key1", "unknown_key"],
    ]);
  });

  it("without a key, is sent at the end of the turn, with the others of that turn", async () => {
    let takenInTurn = false;
    let sentInTurn = 0;
    app = await startSmallApp({
      parts: {
        hourlyLimit: {
          limit: 60,
          take: () => {
            takenInTurn = true;
            // Microtasks run before the turn ends.
            setImmediate(() => {
              takenInTurn = false;
            });
            return { admitted: true, remaining: 59, resetUnixSeconds: 0 };
          },
        },
      },
    });
    const { end } = ServerResponse.prototype;
    ServerResponse.prototype.end = function (this: ServerResponse, ...args: Parameters<typeof end>) {
      if (takenInTurn) sentInTurn += 1;
      return end.apply(this, args);
    } as typeof end;
    try {
      expect((await fetch(`${app.url}/v1/geo`)).status).to.equal(200);
    } finally {
      ServerResponse.prototype.end = end;
    }
    expect(sentInTurn).to.equal(0);
  });

  for (const [title, path] of [
    ["without a key", "/v1/geo"],
    ["with a key whose callers are limited", `/v1/geo?key=${KEY}`],
  ])
    it(`${title}: geo and the hourly limit are asked in parallel`, async () => {
      const located = Promise.withResolvers<void>();
      app = await startSmallApp({
        parts: {
          authorizer: { authorize: () => ({ outcome: "granted", grant: { ...GRANT, limits: LIMITS } }) },
          hourlyLimit: {
            limit: 60,
            take: async () => {
              await located.promise;
              return { admitted: true, remaining: 59, resetUnixSeconds: 0 };
            },
          },
          locator: {
            locate: async () => {
              located.resolve();
              return { record: UNKNOWN_TEXT, reason: "not_found" };
            },
          },
        },
      });
      expect((await fetch(`${app.url}${path}`)).status).to.equal(200);
    });

  it("gets an unmodified request, because requests are slow once Express changes their prototype", async () => {
    const prototypes: unknown[] = [];
    app = await startSmallApp({
      addressOf: (req) => {
        prototypes.push(Object.getPrototypeOf(req));
        return "192.0.2.7";
      },
    });
    for (const path of ["/v1/geo", "/"])
      for (const method of ["GET", "HEAD"])
        expect((await fetch(`${app.url}${path}?key=${KEY}`, { method })).status).to.equal(200);
    expect(prototypes.length).to.equal(4);
    // Those of the fast path are plain objects.
    for (const prototype of prototypes)
      expect(prototype === IncomingMessage.prototype || prototype === Object.prototype).to.equal(true);
  });
});
