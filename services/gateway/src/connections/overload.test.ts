import { once } from "node:events";
import { createServer, IncomingMessage, type Server, ServerResponse } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Located } from "@geolookup/shared/domain/locate.ts";
import { UNKNOWN_TEXT } from "@geolookup/shared/domain/record-text.ts";
import { flushLogBudgets } from "@geolookup/shared/runtime/observability/log-budget.ts";
import { expect } from "chai";
import { pino } from "pino";
import { Registry } from "prom-client";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { createMetrics } from "../metrics.ts";
import { type Exchange, openExchange } from "../request/exchange.ts";
import type { AccessLog } from "../request/request-log.ts";
import { KEY, startSmallApp } from "../testing/small-app.ts";
import { createOverload, type Overload } from "./overload.ts";

const REQUESTS = 20;
const MAX_IN_FLIGHT = 7;
/** So many that all are refused immediately, once as many as may be in flight wait. */
const MANY = 10_000;
const REFUSED_TIMEOUT_MS = 20_000;

describe("a request beyond capacity", () => {
  let server: Server;
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  const start = async (accessLog: AccessLog) => {
    const lines: Record<string, unknown>[] = [];
    const log = pino({ level: "info" }, { write: (line) => lines.push(JSON.parse(line)) });
    const registry = new Registry();
    const metrics = createMetrics(registry, { inFlight: () => 0, maxInFlight: MAX_IN_FLIGHT, unsent: () => 0 });
    const settings = { docsUrl: () => "http://docs.test", accessLog, maxInFlight: MAX_IN_FLIGHT };
    const overload = createOverload(settings, metrics, { log, clock: () => 0 });
    const atOnce: boolean[] = [];
    server = createServer((req, res) => {
      overload.hold(openExchange(req, res));
      setImmediate(() => atOnce.push(res.headersSent));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/geo`;
    const refusedInLog = () => {
      flushLogBudgets();
      const said = lines.filter(({ msg }) => String(msg).startsWith("request refused"));
      return said.reduce((sum, { repeated }) => sum + Number(repeated ?? 1), 0);
    };
    return { url, lines, registry, overload, atOnce, refusedInLog };
  };

  it("gets the contract's 500 with Retry-After and CORS, HEAD without the body", async () => {
    const { url } = await start("off");
    for (const method of ["GET", "HEAD"]) {
      const response = await fetch(url, { method });
      expect(response.status).to.equal(500);
      expect(Object.fromEntries(response.headers)).to.include({
        "retry-after": "1",
        "cache-control": "no-store",
        "access-control-allow-origin": "*",
        "content-type": "application/json; charset=utf-8",
      });
      expect(response.headers.get("access-control-expose-headers")).to.include("Retry-After");
      const body = await response.text();
      expect(Number(response.headers.get("content-length"))).to.be.above(100);
      if (method === "HEAD") expect(body).to.equal("");
      else
        expect(JSON.parse(body).error).to.include({
          code: "internal_error",
          docs: "http://docs.test/errors/internal_error",
        });
    }
  });

  it("isn't refused in the turn of the event loop in which it arrived, so that immediate retries don't keep the turn running", async () => {
    const { url, atOnce } = await start("off");
    expect((await fetch(url)).status).to.equal(500);
    expect(atOnce).to.deep.equal([false]);
  });

  /** Holds that many requests without connections. */
  const hold = (overload: Overload, count: number) =>
    Array.from({ length: count }, () => {
      const req = new IncomingMessage(new Socket());
      const exchange = openExchange(req, new ServerResponse(req));
      overload.hold(exchange);
      return exchange;
    });

  it("starts when others have ended: the one that has waited longest first, no more than may be in flight", async () => {
    const { overload } = await start("off");
    const held = hold(overload, REQUESTS);
    const started = Array.from({ length: REQUESTS }, () => overload.next());
    expect(started.slice(0, MAX_IN_FLIGHT)).to.deep.equal(held.slice(0, MAX_IN_FLIGHT));
    expect(started.slice(MAX_IN_FLIGHT).every((one) => one === undefined)).to.equal(true);
    expect(started[0]?.isHeld).to.equal(false);
    const [later] = hold(overload, 1);
    expect([overload.next(), overload.held()]).to.deep.equal([later, REQUESTS - MAX_IN_FLIGHT]);
    await waitFor("the others to be refused", () => overload.held() === 0, REFUSED_TIMEOUT_MS);
    expect(held.map(({ res }) => res.headersSent)).to.deep.equal(held.map((_, index) => index >= MAX_IN_FLIGHT));
  });

  it("keeps its place while earlier ones are refused", async () => {
    const { overload } = await start("off");
    const [early] = hold(overload, 1);
    await delay(150);
    const [late] = hold(overload, 1);
    await waitFor("the first to be refused", () => early?.res.headersSent, REFUSED_TIMEOUT_MS, 1);
    expect([overload.next(), overload.next()]).to.deep.equal([late, undefined]);
  });

  it("isn't kept in memory once it has started, since it contains an address", async () => {
    setFlagsFromString("--expose-gc");
    const collectAll = runInNewContext("gc") as () => void;
    const { overload } = await start("off");
    hold(overload, 1);
    const started = new WeakRef(overload.next() as Exchange);
    const isGone = () => {
      collectAll();
      return started.deref() === undefined;
    };
    await waitFor("the request to be collected", isGone, REFUSED_TIMEOUT_MS);
  });

  it("doesn't start if its client has gone, but is counted", async () => {
    const { overload, registry } = await start("off");
    const [gone, next] = hold(overload, 2);
    gone?.res.destroy();
    expect(overload.next()).to.equal(next);
    expect(await registry.metrics()).to.match(/requests_total\{[^}]*code="internal_error"[^}]*\} 1\n/);
  });

  it("is refused immediately if 10,000 others will be", async () => {
    const { overload, registry, lines } = await start("off");
    const responses = hold(overload, MAX_IN_FLIGHT + MANY).map(({ res }) => res as ServerResponse);
    expect(overload.held()).to.equal(MAX_IN_FLIGHT);
    expect(responses.filter(({ headersSent }) => headersSent)).to.have.length(MANY);
    await waitFor("the last ones to be refused", () => overload.held() === 0, REFUSED_TIMEOUT_MS);
    expect(responses.every(({ statusCode, writableEnded }) => statusCode === 500 && writableEnded)).to.equal(true);
    expect(await registry.metrics()).to.match(
      new RegExp(`requests_total\\{[^}]*code="internal_error"[^}]*\\} ${MAX_IN_FLIGHT + MANY}\n`),
    );
    expect(lines).to.have.length(1);
  });

  it("is counted, with one summary in the log instead of a line each", async () => {
    const { url, lines, registry, refusedInLog } = await start("errors");
    await Promise.all(Array.from({ length: REQUESTS }, () => fetch(url)));
    expect(refusedInLog()).to.equal(REQUESTS);
    expect(lines).to.have.length(2);
    expect(lines.map(({ msg }) => msg)).to.not.include("request");
    expect(await registry.metrics()).to.match(
      /geolookup_requests_total\{[^}]*status="500",code="internal_error"[^}]*\} 20\n/,
    );
  });

  it("has a log line with ACCESS_LOG=all", async () => {
    const { url, lines } = await start("all");
    for (let request = 0; request < 3; request += 1) await fetch(url);
    const own = lines.filter(({ msg }) => msg === "request");
    expect(own).to.have.length(3);
    expect(own[0]).to.include({ status: 500, code: "internal_error", keyId: null });
  });
});

describe("a gateway beyond its capacity", () => {
  it("serves a request in the place of one that ends, and refuses one for which there is no place within 200 ms", async () => {
    const located: (() => void)[] = [];
    const locate = () =>
      new Promise<Located>((resolve) => {
        located.push(() => resolve({ record: UNKNOWN_TEXT, reason: "not_found" }));
      });
    await using app = await startSmallApp({ settings: { maxInFlight: 2 }, parts: { locator: { locate } } });
    const first = [fetch(`${app.url}/v1/geo?key=${KEY}`), fetch(`${app.url}/v1/geo?key=${KEY}`)];
    await waitFor("two lookups", () => located.length === 2, REFUSED_TIMEOUT_MS);
    expect((await fetch(`${app.url}/v1/geo?key=${KEY}`)).status).to.equal(500);
    const waiting = fetch(`${app.url}/v1/geo?key=${KEY}`);
    await delay(20);
    located[0]?.();
    await waitFor("its lookup", () => located.length === 3, REFUSED_TIMEOUT_MS);
    expect(app.inFlight()).to.equal(2);
    for (const end of located) end();
    expect((await Promise.all([...first, waiting])).map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect([app.inFlight(), app.counted()]).to.deep.equal([0, 3]);
    const metrics = await app.registry.metrics();
    expect(metrics).to.match(/requests_total\{[^}]*code="internal_error"[^}]*\} 1\n/);
    expect(metrics).to.match(/requests_total\{[^}]*code="ok"[^}]*\} 3\n/);
  });

  it("lets a request that waits keep its place when a preflight ends", async () => {
    const located: { ip: string; end: () => void }[] = [];
    const locate = (ip: string) =>
      new Promise<Located>((resolve) => {
        located.push({ ip, end: () => resolve({ record: UNKNOWN_TEXT, reason: "not_found" }) });
      });
    await using app = await startSmallApp({
      settings: { maxInFlight: 2 },
      addressOf: (req) => String(req.headers["x-forwarded-for"]),
      parts: { locator: { locate } },
    });
    const ask = (from: string) => fetch(`${app.url}/v1/geo?key=${KEY}`, { headers: { "X-Forwarded-For": from } });
    const inFlight = [ask("192.0.2.1"), ask("192.0.2.2")];
    await waitFor("their lookups", () => located.length === 2, REFUSED_TIMEOUT_MS);
    const waiting = [ask("192.0.2.3")];
    await delay(20);
    waiting.push(ask("192.0.2.4"));
    await delay(20);
    expect((await fetch(`${app.url}/v1/geo`, { method: "OPTIONS" })).status).to.equal(204);
    for (const ended of [1, 2, 3, 4]) {
      located[ended - 1]?.end();
      if (ended <= 2) await waitFor("the next lookup", () => located.length === ended + 2, REFUSED_TIMEOUT_MS);
    }
    expect(located.map(({ ip }) => ip).slice(2)).to.deep.equal(["192.0.2.3", "192.0.2.4"]);
    for (const response of await Promise.all([...inFlight, ...waiting])) expect(response.status).to.equal(200);
  });
});
