import { once } from "node:events";
import { createServer, IncomingMessage, type Server, ServerResponse } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { flushLogBudgets } from "@geolookup/shared/runtime/observability/log-budget.ts";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { createMetrics } from "../metrics.ts";
import { type Exchange, openExchange } from "../request/exchange.ts";
import type { AccessLog } from "../request/request-log.ts";
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
    const metrics = createMetrics(registry, {
      inFlight: () => 0,
      maxInFlight: MAX_IN_FLIGHT,
      waiting: () => 0,
      unsent: () => 0,
    });
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
  const hold = (overload: Overload, count: number): Exchange[] =>
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
    expect(started.map((one) => (one ? held.indexOf(one) : -1))).to.deep.equal(
      held.map((_, index) => (index < MAX_IN_FLIGHT ? index : -1)),
    );
    expect(started[0]?.held).to.equal(null);
    const [later] = hold(overload, 1);
    expect(overload.next()).to.equal(later);
    expect([overload.waiting(), overload.held()]).to.deep.equal([0, REQUESTS - MAX_IN_FLIGHT]);
    await waitFor("the others to be refused", () => overload.held() === 0, REFUSED_TIMEOUT_MS);
    expect(held.map(({ res }) => res.headersSent)).to.deep.equal(held.map((_, index) => index >= MAX_IN_FLIGHT));
  });

  it("keeps waiting while earlier ones are refused", async () => {
    const { overload } = await start("off");
    const [early] = hold(overload, 1);
    const later: Exchange[] = [];
    const isRefused = () => early?.res.headersSent || void later.push(...hold(overload, 1));
    await waitFor("the first to be refused", isRefused, REFUSED_TIMEOUT_MS, 50);
    expect(overload.next()).to.equal(later.find(({ res }) => !res.headersSent));
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
    expect(overload.held()).to.equal(0);
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
