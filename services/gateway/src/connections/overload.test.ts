import { once } from "node:events";
import { createServer, IncomingMessage, type Server, ServerResponse } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import { flushLogBudgets } from "@geolookup/shared/runtime/observability/log-budget.ts";
import { expect } from "chai";
import { pino } from "pino";
import { Registry } from "prom-client";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { createMetrics } from "../metrics.ts";
import { openExchange } from "../request/exchange.ts";
import type { AccessLog } from "../request/request-log.ts";
import { createOverload } from "./overload.ts";

const REQUESTS = 20;
/** One more than may be pending. */
const MANY = 10_001;
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
    const metrics = createMetrics(registry, { inFlight: () => 0, maxInFlight: 7, unsent: () => 0 });
    const settings = { docsUrl: () => "http://docs.test", accessLog, maxInFlight: 7 };
    const overload = createOverload(settings, metrics, { log, clock: () => 0 });
    const atOnce: boolean[] = [];
    server = createServer((req, res) => {
      overload.refuse(openExchange(req, res));
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

  it("is refused immediately if 10,000 refusals are pending", async () => {
    const { overload, registry, lines } = await start("off");
    const responses = Array.from({ length: MANY }, () => {
      const req = new IncomingMessage(new Socket());
      const res = new ServerResponse(req);
      overload.refuse(openExchange(req, res));
      return res;
    });
    expect([...overload.pending()]).to.have.length(1);
    expect(responses.filter(({ headersSent }) => headersSent)).to.have.length(MANY - 1);
    await waitFor("the last one to be refused", () => [...overload.pending()].length === 0, REFUSED_TIMEOUT_MS);
    expect(responses.every(({ statusCode, writableEnded }) => statusCode === 500 && writableEnded)).to.equal(true);
    expect(await registry.metrics()).to.match(
      new RegExp(`requests_total\\{[^}]*code="internal_error"[^}]*\\} ${MANY}\n`),
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
