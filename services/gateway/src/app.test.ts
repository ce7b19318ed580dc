import { once } from "node:events";
import { IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Grant } from "@geolookup/shared/domain/authorize.ts";
import { UNKNOWN_TEXT } from "@geolookup/shared/domain/record-text.ts";
import { expect } from "chai";
import { pino } from "pino";
import { Registry } from "prom-client";
import { createApp } from "./app.ts";
import type { LookupParts } from "./lookup.ts";

const GRANT: Grant = {
  keyId: "key1",
  kind: "secret",
  plan: "free",
  fields: "free",
  monthlyRequests: 10,
  origins: [],
  display: "geo_sk_…1111",
};
const KEY = `geo_sk_abcd${"0".repeat(22)}_${"1".repeat(22)}`;

describe("an answer to a look-up", () => {
  let server: Server;
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  /** @param addressOf sees every request that is looked up. @param count what counts it. @param parts in place of others. */
  const start = async (
    addressOf: (req: IncomingMessage) => string,
    count: () => Promise<void>,
    parts: Partial<LookupParts> = {},
  ) => {
    const app = createApp(
      {
        ...{ docsUrl: () => "http://docs.test", portalUrl: null, addressOf, keyless: true },
        ...{ accessLog: "off", maxInFlight: 10, certificate: null },
      },
      {
        authorizer: { authorize: () => ({ outcome: "granted", grant: GRANT }) },
        locator: { locate: () => ({ record: UNKNOWN_TEXT, reason: "not_found" }) },
        meter: {
          admit: () => ({ admitted: true, remaining: 9, resetUnixSeconds: 0, count, release: () => {} }),
          close: async () => {},
        },
        hourlyLimit: { limit: 60, take: () => ({ admitted: true, remaining: 59, resetUnixSeconds: 0 }) },
        ...parts,
      },
      { log: pino({ level: "silent" }), registry: new Registry(), clock: () => 0 },
    );
    server = app.server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, inFlight: app.inFlight };
  };

  it("leaves once its count is written, and not before", async () => {
    const counted = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const { url, inFlight } = await start(
      () => "192.0.2.7",
      () => {
        counted.resolve();
        return written.promise;
      },
    );
    const answer = fetch(`${url}/v1/geo?key=${KEY}`);
    await counted.promise;
    // Whatever did not wait for the count has left by now.
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
    expect(inFlight()).to.equal(1);
    written.resolve();
    expect((await answer).status).to.equal(200);
  });

  it("without a key, is asked for at geo while the hourly limit is asked for room", async () => {
    const located = Promise.withResolvers<void>();
    const { url } = await start(
      () => "192.0.2.7",
      async () => {},
      {
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
    );
    expect((await fetch(`${url}/v1/geo`)).status).to.equal(200);
  });

  it("is made of the request as Node made it: Express' other prototype would slow down all that follows", async () => {
    const prototypes: unknown[] = [];
    const { url } = await start(
      (req) => {
        prototypes.push(Object.getPrototypeOf(req));
        return "192.0.2.7";
      },
      async () => {},
    );
    for (const path of ["/v1/geo", "/"])
      for (const method of ["GET", "HEAD"])
        expect((await fetch(`${url}${path}?key=${KEY}`, { method })).status).to.equal(200);
    expect(prototypes).to.deep.equal(new Array(4).fill(IncomingMessage.prototype));
  });
});
