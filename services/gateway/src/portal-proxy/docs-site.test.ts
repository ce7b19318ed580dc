import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { DEADLINE_MS, docsHostFixture } from "./testing/docs-host-fixture.ts";

/** Longer than the portal may take for the first byte. */
const PAUSE_MS = 5_200;
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

describe("docs host", () => {
  const docs = docsHostFixture();
  const slowForm = () => docs.send("POST /console/sign-in HTTP/1.1\r\nHost: docs.test\r\nContent-Length: 50\r\n\r\nx");

  it("serves 80 pages at once: others wait, then get 503 in time, and the API is unaffected; a form may take longer", async () => {
    const form = docs.request("/wait", { method: "POST", body: "a=b" });
    await docs.untilPending(1);
    const requests = Array.from({ length: 600 }, () => docs.request("/wait"));
    await docs.untilInUse("pages", 80);
    await docs.untilPending(81);
    await docs.expectApi();
    expect(await docs.gateway.metric("geolookup_requests_in_flight")).to.equal(0);
    const responses = await Promise.all(requests);
    for (const { status, headers, text: body } of responses) {
      expect([status, headers["retry-after"], headers["access-control-allow-origin"]]).to.deep.equal([503, "1", "*"]);
      expect(JSON.parse(body).error).to.include({
        code: "internal_error",
        docs: "http://docs.test/errors/internal_error",
      });
    }
    expect(await docs.gateway.metric('geolookup_docs_refused_total{reason="full"}')).to.equal(120);
    expect(await docs.gateway.metric('geolookup_docs_refused_total{reason="timeout"}')).to.equal(480);
    expect((await docs.request("/")).text).to.equal("page");
    await docs.untilInUse("pages", 0);
    docs.pending[0]?.end("saved");
    expect((await form).text).to.equal("saved");
  });

  it("waits for a page while the process is paused, however long", async () => {
    docs.onPortal = (_req, res) => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
      res.end("page");
    };
    expect((await docs.request("/")).text).to.equal("page");
    expect(await docs.gateway.metric('geolookup_docs_refused_total{reason="timeout"}')).to.equal(0);
  });

  it("sends a page instead of JSON to clients that prefer one", async () => {
    docs.closePortal();
    for (const [accept, type] of [
      [undefined, "application/json"],
      ["*/*", "application/json"],
      ["application/json, text/html;q=0.9", "application/json"],
      [BROWSER, "text/html"],
    ] as const) {
      const { status, headers, text: body } = await docs.request("/", { headers: accept ? { accept } : {} });
      expect([status, headers["content-type"]], accept).to.deep.equal([503, `${type}; charset=utf-8`]);
      expect(body).to.include("The docs site is not responding");
    }
  });

  it("buffers forms at the gateway: slow ones never reach the portal or delay other requests", async () => {
    let requests = 0;
    docs.onPortal = (req, res) => {
      requests += 1;
      req.resume().once("end", () => res.end("page"));
    };
    for (let count = 0; count < 300; count += 1) slowForm();
    await docs.untilInUse("reading", 256);
    expect((await docs.request("/")).text).to.equal("page");
    const form = await docs.request("/console/sign-in", { method: "POST", body: "token=a" });
    expect([form.status, requests]).to.deep.equal([200, 2]);
    await docs.expectApi();
    for (const socket of docs.sockets) socket.destroy();
    await docs.untilInUse("reading", 0);
  });

  it("forwards a form with its length, however it was sent, and refuses one that is too large", async () => {
    const seen: object[] = [];
    docs.onPortal = async (req, res) => {
      const { "content-length": length, "transfer-encoding": coding } = req.headers;
      seen.push({ length, coding, body: await text(req) });
      res.end();
    };
    await docs.request("/console/keys/new", {
      method: "POST",
      body: "a=b",
      headers: { "transfer-encoding": "chunked" },
    });
    await docs.request("/errors", { body: "c=d", headers: { "content-length": "3" } });
    expect(seen).to.deep.equal([
      { length: "3", coding: undefined, body: "a=b" },
      { length: "3", coding: undefined, body: "c=d" },
    ]);
    const large = await docs.request("/console/keys/new", { method: "POST", body: "x".repeat(65_537) });
    expect(large.status).to.equal(413);
    expect(large.text).to.include("64 kB");
    expect(seen).to.have.length(2);
  });

  it("forwards a token, a cookie and an Idempotency-Key only to the parts that need them", async () => {
    const names = [
      "authorization",
      "cookie",
      "content-type",
      "idempotency-key",
      "origin",
      "x-api-key",
      "x-forwarded-for",
    ];
    const headers = Object.fromEntries(names.map((name) => [name, "a"]));
    const seen: [string, string[]][] = [];
    docs.onPortal = (req, res) => {
      seen.push([req.url ?? "", names.filter((name) => name in req.headers)]);
      res.end();
    };
    const paths = ["/", "/account", "/accounts", "/console", "/admin/v1/keys", "/admin/v2/keys"];
    for (const path of paths) await docs.request(path, { headers });
    expect(seen).to.deep.equal([
      ["/", []],
      ["/account", ["content-type", "origin"]],
      ["/accounts", []],
      ["/console", ["cookie", "content-type", "origin"]],
      ["/admin/v1/keys", ["authorization", "content-type", "idempotency-key"]],
      ["/admin/v2/keys", []],
    ]);
  });

  it("releases the permit and the portal's connection when a client disconnects", async () => {
    const leaving = Array.from({ length: 100 }, () => docs.send(docs.get("/wait")));
    await docs.untilPending(80);
    const closed = docs.pending.map((res) => once(res, "close"));
    for (const socket of leaving) socket.destroy();
    await Promise.all(closed);
    await docs.untilInUse("pages", 0);
    // Immediately, not after a timeout.
    expect(await docs.gateway.metric('geolookup_docs_refused_total{reason="timeout"}')).to.equal(0);
    expect((await docs.request("/")).text).to.equal("page");
  });

  it("grants no permit to a client that disconnected while it waited", async () => {
    for (let count = 0; count < 80; count += 1) docs.send(docs.get("/wait"));
    await docs.untilPending(80);
    const waiting = Array.from({ length: 20 }, () => docs.send(docs.get("/wait")));
    // Each request arrives after everything that was sent before.
    await docs.expectApi();
    for (const socket of waiting) socket.destroy();
    await docs.expectApi();
    for (const res of docs.pending) res.end();
    await docs.untilInUse("pages", 0);
    expect(docs.pending).to.have.length(80);
    expect(await docs.gateway.metric('geolookup_docs_refused_total{reason="timeout"}')).to.equal(0);
  });

  it("serves one request of a connection at a time, even with pipelining", async () => {
    const socket = docs.send(docs.get("/wait").repeat(50));
    await docs.untilPending(1);
    await docs.expectApi();
    expect(await docs.inUse("pages")).to.equal(1);
    const received = text(socket.setEncoding("latin1"));
    for (let turn = 0; turn < 50; turn += 1) {
      await waitFor(`request ${turn} at the portal`, () => docs.pending.length === turn + 1, DEADLINE_MS);
      docs.pending[turn]?.end(`page ${turn}`);
    }
    await docs.untilInUse("pages", 0);
    socket.end();
    expect((await received).match(/page \d+/g)).to.deep.equal(Array.from({ length: 50 }, (_, turn) => `page ${turn}`));
  });

  it("serves 20 live updates and exports, separate from pages, and only those that the portal opens", async () => {
    docs.onPortal = (req, res) => {
      if (req.headers.cookie !== "operator") return void res.writeHead(401).end();
      res.writeHead(200, { "Content-Type": "text/event-stream" }).write("retry: 1000\n\n");
      docs.pending.push(res);
    };
    const path = "/console/cluster/events";
    const headers = { cookie: "operator" };
    const open = () => docs.send(`GET ${path} HTTP/1.1\r\nHost: docs.test\r\nCookie: operator\r\n\r\n`);
    const opened = Array.from({ length: 20 }, open);
    await docs.untilInUse("streams", 20);
    expect(await docs.inUse("pages")).to.equal(0);
    expect((await docs.request(path)).status).to.equal(401);
    expect((await docs.request(path, { headers })).status).to.equal(503);
    await waitFor("the portal's 21st to be closed", () => docs.pending[20]?.destroyed, DEADLINE_MS);
    opened[0]?.destroy();
    await docs.untilInUse("streams", 19);
    open();
    await docs.untilInUse("streams", 20);
  });

  it("makes forms from networks of refused forms wait behind all others", async () => {
    const order: string[] = [];
    docs.onPortal = (req, res) => {
      if (req.url === "/console/sign-in") return void res.writeHead(403).end();
      if (req.url === "/console/keys/new") return void res.writeHead(303, { Location: "/console/sign-in" }).end();
      order.push(req.url ?? "");
      docs.pending.push(res);
    };
    const from = (address: string) => ({ method: "POST", headers: { "x-test-address": address } });
    // Two addresses of one /64.
    for (let count = 0; count < 4; count += 1) await docs.request("/console/sign-in", from(`2001:db8::${count}`));
    // Redirected to the sign-in page.
    await docs.request("/console/keys/new", from("2001:db8::4"));
    const requests = Array.from({ length: 20 }, () => docs.request("/first", from("192.0.2.7")));
    await waitFor("all permits to be in use", () => docs.pending.length === 20, DEADLINE_MS);
    const path = (name: string) => `POST /${name} HTTP/1.1\r\nHost: docs.test\r\nX-Test-Address: `;
    docs.send(`${path("suspect")}2001:db8::ffff\r\nContent-Length: 0\r\n\r\n`);
    // A page on the same connection is served after the form: then the form has arrived.
    await docs.expectApi();
    docs.send(`${path("other")}2001:db8:0:1::1\r\nContent-Length: 0\r\n\r\n`);
    await docs.expectApi();
    for (let turn = 0; turn < 22; turn += 1) {
      await waitFor(`form ${turn}`, () => docs.pending.length > turn, DEADLINE_MS);
      docs.pending[turn]?.end();
    }
    await Promise.all(requests);
    expect(order.slice(20)).to.deep.equal(["/other", "/suspect"]);
  });

  it("lets a drain finish by closing connections after current and waiting responses", async () => {
    const requests = [docs.request("/wait"), docs.request("/wait")];
    await docs.untilPending(2);
    docs.gateway.app.drain();
    for (const res of docs.pending) res.end("page");
    for (const { text: body, headers } of await Promise.all(requests))
      expect([body, headers.connection]).to.deep.equal(["page", "close"]);
    expect((await docs.request("/", { headers: { connection: "keep-alive" } })).headers.connection).to.equal("close");
  });
});
