import { IncomingMessage } from "node:http";
import { UNKNOWN_TEXT } from "@geolookup/shared/domain/record-text.ts";
import { expect } from "chai";
import { GRANT, KEY, startSmallApp } from "./testing/small-app.ts";

const LIMITS = { perCallerHourly: 60, rate: { perSecond: 10, burst: 10 } };

describe("an answer to a look-up", () => {
  let app: Awaited<ReturnType<typeof startSmallApp>>;
  afterEach(() => app.close());

  it("leaves once its count is written, and not before", async () => {
    const counted = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    app = await startSmallApp({
      count: () => {
        counted.resolve();
        return written.promise;
      },
    });
    const answer = fetch(`${app.url}/v1/geo?key=${KEY}`);
    await counted.promise;
    // Whatever did not wait for the count has left by now.
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
    expect(app.inFlight()).to.equal(1);
    written.resolve();
    expect((await answer).status).to.equal(200);
  });

  for (const [title, path] of [
    ["without a key", "/v1/geo"],
    ["with a key whose callers are limited", `/v1/geo?key=${KEY}`],
  ])
    it(`${title}, is asked for at geo while the hourly limit is asked for room`, async () => {
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

  it("is made of the request as Node made it: Express' other prototype would slow down all that follows", async () => {
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
    expect(prototypes).to.deep.equal(new Array(4).fill(IncomingMessage.prototype));
  });
});
