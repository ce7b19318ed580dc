import { UNKNOWN_TEXT } from "@geolookup/shared/domain/record-text.ts";
import { parseSamples, readingsOf } from "@geolookup/shared/runtime/observability/readings.ts";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { send } from "../../../test/harness/http.ts";
import { keepAliveClient } from "../../../test/harness/load-client.ts";
import type { AppParts } from "./app.ts";
import { type PublicPortConfig, readConfig } from "./config.ts";
import { openPublicPort } from "./public-port.ts";

const SETTINGS = { HOST: "127.0.0.1", PORT: "0", STORES: "embedded", AUTH_URL: "127.0.0.1:1", GEO_URL: "127.0.0.1:1" };
const PARTS = {
  locator: { locate: () => ({ record: UNKNOWN_TEXT, reason: "not_found" }) },
  hourlyLimit: { limit: 60, take: () => ({ admitted: true, remaining: 59, resetUnixSeconds: 0 }) },
} as Partial<AppParts> as AppParts;

async function openPort(settings: Readonly<Record<string, string>>, overrides: Partial<PublicPortConfig> = {}) {
  const readiness: boolean[] = [];
  const setReady = (isReady: boolean) => void readiness.push(isReady);
  const warnings: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void warnings.push(line) });
  const registry = new Registry();
  const context = { log, registry, clock: () => 0, portalUrl: "http://127.0.0.1:1", setReady };
  const port = await openPublicPort({ ...readConfig({ ...SETTINGS, ...settings }), ...overrides }, PARTS, context);
  return { ...port, readiness, warnings, registry };
}

describe("settings that are valid, but hardly meant, are logged and in the metrics that doctor reads", () => {
  const docs = { DOCS_URL: "https://geo.example.com" };
  const cases: [settings: Readonly<Record<string, string>>, metric: string, value: number][] = [
    [{ TRUST_PROXY: "0.0.0.0/1,128.0.0.0/1" }, "geolookup_trust_proxy_too_wide", 1],
    [{ TRUST_PROXY: "10.0.0.0/8" }, "geolookup_trust_proxy_too_wide", 0],
    [docs, "geolookup_docs_url_unchecked", 1],
    [{ ...docs, API_URL: "https://api.example.com" }, "geolookup_docs_url_unchecked", 0],
    [{ DOCS_URL: "https://docs.geo.example.com" }, "geolookup_docs_url_unchecked", 0],
    [{}, "geolookup_docs_url_unchecked", 0],
  ];
  for (const [settings, metric, value] of cases)
    it(`${JSON.stringify(settings)}: ${metric} is ${value}`, async () => {
      await using port = await openPort(settings);
      expect(await port.registry.metrics()).to.include(`\n${metric} ${value}\n`);
      expect(port.warnings).to.have.length(value);
      expect(readingsOf(parseSamples(await port.registry.metrics()), 0).filter(({ bad }) => bad)).to.have.length(value);
    });
});

describe("closing the public port", () => {
  it("with a drain delay, connections are accepted for one response while it isn't ready, then refused", async () => {
    const { url, readiness, ...port } = await openPort({}, { drainDelayMs: 1_000 });
    const closed = port[Symbol.asyncDispose]();
    expect(readiness).to.deep.equal([true, false]);
    using client = keepAliveClient();
    expect(await client.get(url, null)).to.include({ status: 200, connection: "close" });
    await closed;
    expect(await send(url).catch(({ code }) => code)).to.equal("ECONNREFUSED");
  });

  it("without one, connections are refused at once", async () => {
    const { url, ...port } = await openPort({});
    const closed = port[Symbol.asyncDispose]();
    expect(await send(url).catch(({ code }) => code)).to.equal("ECONNREFUSED");
    await closed;
  });
});
