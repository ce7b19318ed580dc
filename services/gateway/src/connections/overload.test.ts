import { once } from "node:events";
import { createServer, IncomingMessage, type Server, ServerResponse } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { flushLogBudgets } from "@geolookup/shared/runtime/observability/log-budget.ts";
import { expect } from "chai";
import { pino } from "pino";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { type Exchange, openExchange } from "../request/exchange.ts";
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

  const start = async () => {
    const lines: Record<string, unknown>[] = [];
    const log = pino({ level: "info" }, { write: (line) => lines.push(JSON.parse(line)) });
    const settings = { docsUrl: () => "http://docs.test", maxInFlight: MAX_IN_FLIGHT };
    const overload = createOverload(settings, { log, clock: () => 0 });
    const atOnce: boolean[] = [];
    // As many as may be in flight, until the end.
    for (let count = 0; count < MAX_IN_FLIGHT; count += 1) overload.admit(exchangeWithoutConnection());
    server = createServer((req, res) => {
      overload.admit(openExchange(req, res, null));
      setImmediate(() => atOnce.push(res.headersSent));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/geo`;
    const refusedInLog = () => {
      flushLogBudgets();
      const said = lines.filter(({ msg }) => String(msg).startsWith("request refused"));
      return said.reduce((sum, { repeated }) => sum + Number(repeated ?? 1), 0);
    };
    return { url, lines, overload, atOnce, refusedInLog };
  };

  it("gets the contract's 500 with Retry-After and CORS, HEAD without the body", async () => {
    const { url } = await start();
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
    const { url, atOnce } = await start();
    expect((await fetch(url)).status).to.equal(500);
    expect(atOnce).to.deep.equal([false]);
  });

  /** Holds that many requests without connections. `admitted` has those that got a slot, in order. */
  const hold = (overload: Overload, count: number, admitted: Exchange[] = []): Exchange[] =>
    Array.from({ length: count }, () => {
      const exchange = exchangeWithoutConnection();
      void Promise.resolve(overload.admit(exchange)).then((hasSlot) => hasSlot && admitted.push(exchange));
      return exchange;
    });
  /** Lets so many of those in flight end. */
  const release = async (overload: Overload, count: number) => {
    for (let released = 0; released < count; released += 1) overload.release();
    await nextTurn();
  };

  it("starts when others have ended: the one that has waited longest first, no more than may be in flight", async () => {
    const { overload } = await start();
    const admitted: Exchange[] = [];
    const held = hold(overload, REQUESTS, admitted);
    expect(overload.waiting()).to.equal(MAX_IN_FLIGHT);
    await release(overload, MAX_IN_FLIGHT);
    expect(admitted).to.deep.equal(held.slice(0, MAX_IN_FLIGHT));
    const [later] = hold(overload, 1, admitted);
    await release(overload, 1);
    expect(admitted.at(-1)).to.equal(later);
    expect([overload.waiting(), overload.inFlight()]).to.deep.equal([0, MAX_IN_FLIGHT]);
    await waitFor("the others to be refused", () => held.at(-1)?.res.headersSent, REFUSED_TIMEOUT_MS);
    expect(held.map(({ res }) => res.headersSent)).to.deep.equal(held.map((_, index) => index >= MAX_IN_FLIGHT));
  });

  it("keeps waiting while earlier ones are refused", async () => {
    const { overload } = await start();
    const admitted: Exchange[] = [];
    const [early] = hold(overload, 1, admitted);
    const later: Exchange[] = [];
    const isRefused = () => early?.res.headersSent || void later.push(...hold(overload, 1, admitted));
    await waitFor("the first to be refused", isRefused, REFUSED_TIMEOUT_MS, 50);
    await release(overload, 1);
    expect(admitted).to.deep.equal([later.find(({ res }) => !res.headersSent)]);
  });

  it("isn't kept in memory once it has started, since it contains an address", async () => {
    setFlagsFromString("--expose-gc");
    const collectAll = runInNewContext("gc") as () => void;
    const { overload } = await start();
    const started = new WeakRef(hold(overload, 1)[0] as Exchange);
    await release(overload, 1);
    const isGone = () => {
      collectAll();
      return started.deref() === undefined;
    };
    await waitFor("the request to be collected", isGone, REFUSED_TIMEOUT_MS);
  });

  it("is refused immediately if 10,000 others will be", async () => {
    const { overload, lines } = await start();
    const responses = hold(overload, MAX_IN_FLIGHT + MANY).map(({ res }) => res);
    expect(overload.waiting()).to.equal(MAX_IN_FLIGHT);
    expect(responses.filter(({ headersSent }) => headersSent)).to.have.length(MANY);
    await waitFor("the last ones to be refused", () => overload.waiting() === 0, REFUSED_TIMEOUT_MS);
    expect(responses.every(({ statusCode, writableEnded }) => statusCode === 500 && writableEnded)).to.equal(true);
    expect(lines).to.have.length(1);
  });

  it("has one summary in the log instead of a line each", async () => {
    const { url, lines, refusedInLog } = await start();
    await Promise.all(Array.from({ length: REQUESTS }, () => fetch(url)));
    expect(refusedInLog()).to.equal(REQUESTS);
    expect(lines).to.have.length(2);
  });
});

function exchangeWithoutConnection(): Exchange {
  const req = new IncomingMessage(new Socket());
  return openExchange(req, new ServerResponse(req), null);
}
