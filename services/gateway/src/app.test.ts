import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Grant } from "@geolookup/shared/domain/authorize.ts";
import { UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import { expect } from "chai";
import { pino } from "pino";
import { Registry } from "prom-client";
import { createApp } from "./app.ts";

describe("an answer to a request with a key", () => {
  it("leaves once its count is written, and not before", async () => {
    const counted = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const grant: Grant = {
      keyId: "key1",
      kind: "secret",
      plan: "free",
      fields: "free",
      monthlyRequests: 10,
      origins: [],
      display: "geo_sk_…x7Qp",
    };
    const count = () => {
      counted.resolve();
      return written.promise;
    };
    const { server, inFlight } = createApp(
      {
        ...{ docsUrl: () => "http://docs.test", portalUrl: null, addressOf: () => "192.0.2.7", keyless: true },
        ...{ accessLog: "off", maxInFlight: 10, certificate: null },
      },
      {
        authorizer: { authorize: () => ({ outcome: "granted", grant }) },
        locator: { locate: () => ({ place: UNKNOWN_PLACE, reason: "not_found" }) },
        meter: {
          admit: () => ({ admitted: true, remaining: 9, resetUnixSeconds: 0, count, release: () => {} }),
          close: async () => {},
        },
        hourlyLimit: { limit: 60, take: () => ({ admitted: true, remaining: 59, resetUnixSeconds: 0 }) },
      },
      { log: pino({ level: "silent" }), registry: new Registry(), clock: () => 0 },
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const key = `geo_sk_abcd${"0".repeat(22)}_${"1".repeat(22)}`;
    const answer = fetch(`http://127.0.0.1:${port}/v1/geo?key=${key}`);
    await counted.promise;
    // Whatever did not wait for the count has left by now.
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
    expect(inFlight()).to.equal(1);
    written.resolve();
    expect((await answer).status).to.equal(200);
    server.close();
    server.closeAllConnections();
  });
});
