import { UNKNOWN_TEXT } from "@geolookup/shared/domain/record-text.ts";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { send } from "../../../../test/harness/http.ts";
import { keepAliveClient } from "../../../../test/harness/load-client.ts";
import { readConfig } from "../config.ts";
import type { LookupParts } from "../lookup.ts";
import { openPublicPort } from "../public-port.ts";

const SETTINGS = { HOST: "127.0.0.1", PORT: "0", STORES: "embedded", AUTH_URL: "127.0.0.1:1", GEO_URL: "127.0.0.1:1" };
const PARTS = {
  locator: { locate: () => ({ record: UNKNOWN_TEXT, reason: "not_found" }) },
  hourlyLimit: { limit: 60, take: () => ({ admitted: true, remaining: 59, resetUnixSeconds: 0 }) },
} as Partial<LookupParts> as LookupParts;

describe("closing the public port", () => {
  const openPort = async (DRAIN_DELAY_MS: string) => {
    const readiness: boolean[] = [];
    const setReady = (isReady: boolean) => void readiness.push(isReady);
    const context = { log: pino({ level: "silent" }), registry: new Registry(), clock: () => 0, portalUrl: null };
    const port = await openPublicPort(readConfig({ ...SETTINGS, DRAIN_DELAY_MS }), PARTS, { ...context, setReady });
    return { ...port, readiness };
  };

  it("with a drain delay, connections are accepted for one response while it isn't ready, then refused", async () => {
    const { url, readiness, ...port } = await openPort("1000");
    const closed = port[Symbol.asyncDispose]();
    expect(readiness).to.deep.equal([true, false]);
    using client = keepAliveClient();
    expect(await client.get(url, null)).to.include({ status: 200, connection: "close" });
    await closed;
    expect(await send(url).catch(({ code }) => code)).to.equal("ECONNREFUSED");
  });

  it("without one, connections are refused at once", async () => {
    const { url, ...port } = await openPort("0");
    const closed = port[Symbol.asyncDispose]();
    expect(await send(url).catch(({ code }) => code)).to.equal("ECONNREFUSED");
    await closed;
  });
});
