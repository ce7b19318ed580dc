import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { startApp } from "./testing/start-app.ts";

const DEADLINE_MS = 10_000;
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

describe("the docs host's bounds", () => {
  let portal: Server;
  let onPortal: RequestListener;
  /** Responses that the portal has not sent. */
  let pending: ServerResponse[];
  let gateway: Awaited<ReturnType<typeof startApp>>;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    pending = [];
    onPortal = (req, res) => {
      if (req.url?.startsWith("/wait")) pending.push(res);
      else req.resume().once("end", () => res.end("page"));
    };
    portal = createServer((req, res) => onPortal(req, res)).listen(0, "127.0.0.1");
    await once(portal, "listening");
    // The default for tests without an address.
    gateway = await startApp(
      `http://127.0.0.1:${(portal.address() as AddressInfo).port}`,
      ({ headers }) => headers["x-test-address"]?.toString() ?? "192.0.2.7",
    );
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    void gateway.close();
    portal.close();
    portal.closeAllConnections();
  });

  async function ask(path: string, sent: { host?: string; headers?: object; method?: string; body?: string } = {}) {
    const { host = "docs.test", method = "GET", body } = sent;
    const headers = { host, ...sent.headers };
    const asked = request({ host: "127.0.0.1", port: gateway.port, path, method, headers, agent: false }).end(body);
    const [res] = (await once(asked, "response")) as [IncomingMessage];
    return { status: res.statusCode, headers: res.headers, text: await text(res) };
  }
  const send = (bytes: string) => {
    const socket = connect(gateway.port, "127.0.0.1").on("error", () => {});
    sockets.push(socket);
    socket.write(bytes);
    return socket;
  };
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: docs.test\r\n\r\n`;
  const slowForm = () => send("POST /console/sign-in HTTP/1.1\r\nHost: docs.test\r\nContent-Length: 50\r\n\r\nx");
  const inUse = (pool: string) => gateway.metric(`geolookup_docs_requests_in_flight{pool="${pool}"}`);
  const untilInUse = (pool: string, count: number) =>
    waitFor(`${count} in use of ${pool}`, async () => (await inUse(pool)) === count, DEADLINE_MS);
  const expectApi = async () => expect((await ask("/v1/geo", { host: "geo.test" })).status).to.equal(200);

  it("are 80 pages at once: others wait, then get 503 in time, and the API is unaffected", async () => {
    const asked = Array.from({ length: 600 }, () => ask("/wait"));
    await untilInUse("pages", 80);
    await waitFor("80 at the portal", () => pending.length === 80, DEADLINE_MS);
    await expectApi();
    expect(await gateway.metric("geolookup_requests_in_flight")).to.equal(0);
    const answers = await Promise.all(asked);
    for (const { status, headers, text: body } of answers) {
      expect([status, headers["retry-after"], headers["access-control-allow-origin"]]).to.deep.equal([503, "1", "*"]);
      expect(JSON.parse(body).error).to.include({
        code: "internal_error",
        docs: "http://docs.test/errors/internal_error",
      });
    }
    expect(await gateway.metric('geolookup_docs_refused_total{reason="full"}')).to.equal(120);
    expect(await gateway.metric('geolookup_docs_refused_total{reason="timeout"}')).to.equal(480);
    expect((await ask("/")).text).to.equal("page");
    await untilInUse("pages", 0);
  });

  it("send a page instead of JSON to clients that prefer one", async () => {
    portal.close();
    portal.closeAllConnections();
    for (const [accept, type] of [
      [undefined, "application/json"],
      ["*/*", "application/json"],
      ["application/json, text/html;q=0.9", "application/json"],
      [BROWSER, "text/html"],
    ] as const) {
      const { status, headers, text: body } = await ask("/", { headers: accept ? { accept } : {} });
      expect([status, headers["content-type"]], accept).to.deep.equal([503, `${type}; charset=utf-8`]);
      expect(body).to.include("The docs site is not responding");
    }
  });

  it("keep slow forms at the gateway: the portal never sees them, and other requests aren't delayed", async () => {
    let requests = 0;
    onPortal = (req, res) => {
      requests += 1;
      req.resume().once("end", () => res.end("page"));
    };
    for (let count = 0; count < 300; count += 1) slowForm();
    await untilInUse("reading", 256);
    expect((await ask("/")).text).to.equal("page");
    const form = await ask("/console/sign-in", { method: "POST", body: "token=a" });
    expect([form.status, requests]).to.deep.equal([200, 2]);
    await expectApi();
    for (const socket of sockets) socket.destroy();
    await untilInUse("reading", 0);
  });

  it("forward a form with a length, however it was sent, and refuse one that is too large", async () => {
    const seen: object[] = [];
    onPortal = async (req, res) => {
      const { "content-length": length, "transfer-encoding": coding } = req.headers;
      seen.push({ length, coding, body: await text(req) });
      res.end();
    };
    await ask("/console/keys/new", { method: "POST", body: "a=b", headers: { "transfer-encoding": "chunked" } });
    await ask("/errors", { body: "c=d", headers: { "content-length": "3" } });
    expect(seen).to.deep.equal([
      { length: "3", coding: undefined, body: "a=b" },
      { length: "3", coding: undefined, body: "c=d" },
    ]);
    const large = await ask("/console/keys/new", { method: "POST", body: "x".repeat(65_537) });
    expect(large.status).to.equal(413);
    expect(large.text).to.include("64 kB");
    expect(seen).to.have.length(2);
  });

  it("free the place and the portal's connection when a client leaves", async () => {
    const leaving = Array.from({ length: 100 }, () => send(get("/wait")));
    await waitFor("80 at the portal", () => pending.length === 80, DEADLINE_MS);
    const closed = pending.map((res) => once(res, "close"));
    for (const socket of leaving) socket.destroy();
    await Promise.all(closed);
    await untilInUse("pages", 0);
    // At once, not when their time was up.
    expect(await gateway.metric('geolookup_docs_refused_total{reason="timeout"}')).to.equal(0);
    expect((await ask("/")).text).to.equal("page");
  });

  it("give no place to a client that left while it waited", async () => {
    for (let count = 0; count < 80; count += 1) send(get("/wait"));
    await waitFor("80 at the portal", () => pending.length === 80, DEADLINE_MS);
    const waiting = Array.from({ length: 20 }, () => send(get("/wait")));
    // Both come to the gateway after what was sent before.
    await expectApi();
    for (const socket of waiting) socket.destroy();
    await expectApi();
    for (const res of pending) res.end();
    await untilInUse("pages", 0);
    expect(pending).to.have.length(80);
    expect(await gateway.metric('geolookup_docs_refused_total{reason="timeout"}')).to.equal(0);
  });

  it("free both when a client stops reading, once its connection is closed", async () => {
    let unread: ServerResponse | undefined;
    onPortal = (_req, res) => {
      unread = res;
      res.end(Buffer.alloc(64_000_000));
    };
    const socket = send(get("/")).pause();
    await waitFor("the response to begin", () => unread, DEADLINE_MS);
    expect(await inUse("pages")).to.equal(1);
    const closed = once(unread as ServerResponse, "close");
    socket.destroy();
    await closed;
    await untilInUse("pages", 0);
  });

  it("give a connection one place, however many requests it pipelines", async () => {
    const socket = send(get("/wait").repeat(50));
    await waitFor("one at the portal", () => pending.length === 1, DEADLINE_MS);
    await expectApi();
    expect(await inUse("pages")).to.equal(1);
    const received = text(socket.setEncoding("latin1"));
    for (let turn = 0; turn < 50; turn += 1) {
      await waitFor(`request ${turn} at the portal`, () => pending.length === turn + 1, DEADLINE_MS);
      pending[turn]?.end(`page ${turn}`);
    }
    await untilInUse("pages", 0);
    socket.end();
    expect((await received).match(/page \d+/g)).to.deep.equal(Array.from({ length: 50 }, (_, turn) => `page ${turn}`));
  });

  it("are 20 live updates and exports, separate from pages, and only those that the portal opens", async () => {
    onPortal = (req, res) => {
      if (req.headers.cookie !== "operator") return void res.writeHead(401).end();
      res.writeHead(200, { "Content-Type": "text/event-stream" }).write("retry: 1000\n\n");
      pending.push(res);
    };
    const path = "/console/cluster/events";
    const headers = { cookie: "operator" };
    const open = () => send(`GET ${path} HTTP/1.1\r\nHost: docs.test\r\nCookie: operator\r\n\r\n`);
    const opened = Array.from({ length: 20 }, open);
    await untilInUse("streams", 20);
    expect(await inUse("pages")).to.equal(0);
    expect((await ask(path)).status).to.equal(401);
    expect((await ask(path, { headers })).status).to.equal(503);
    await waitFor("the portal's 21st to be closed", () => pending[20]?.destroyed, DEADLINE_MS);
    opened[0]?.destroy();
    await untilInUse("streams", 19);
    open();
    await untilInUse("streams", 20);
  });

  it("make forms from networks of refused forms wait behind all others", async () => {
    const order: string[] = [];
    onPortal = (req, res) => {
      if (req.url === "/console/sign-in") return void res.writeHead(403).end();
      if (req.url === "/console/keys/new") return void res.writeHead(303, { Location: "/console/sign-in" }).end();
      order.push(req.url ?? "");
      pending.push(res);
    };
    const from = (address: string) => ({ method: "POST", headers: { "x-test-address": address } });
    // Two addresses of one /64.
    for (let count = 0; count < 4; count += 1) await ask("/console/sign-in", from(`2001:db8::${count}`));
    // Led to the sign-in page.
    await ask("/console/keys/new", from("2001:db8::4"));
    const asked = Array.from({ length: 20 }, () => ask("/first", from("192.0.2.7")));
    await waitFor("all places to be taken", () => pending.length === 20, DEADLINE_MS);
    const path = (name: string) => `POST /${name} HTTP/1.1\r\nHost: docs.test\r\nX-Test-Address: `;
    send(`${path("suspect")}2001:db8::ffff\r\nContent-Length: 0\r\n\r\n`);
    // A page on the same connection is served after the form: then the form has arrived.
    await expectApi();
    send(`${path("other")}2001:db8:0:1::1\r\nContent-Length: 0\r\n\r\n`);
    await expectApi();
    for (let turn = 0; turn < 22; turn += 1) {
      await waitFor(`form ${turn}`, () => pending.length > turn, DEADLINE_MS);
      pending[turn]?.end();
    }
    await Promise.all(asked);
    expect(order.slice(20)).to.deep.equal(["/other", "/suspect"]);
  });

  it("let a drain finish: current and waiting responses close their connections", async () => {
    const asked = [ask("/wait"), ask("/wait")];
    await waitFor("both at the portal", () => pending.length === 2, DEADLINE_MS);
    gateway.app.drain();
    for (const res of pending) res.end("page");
    for (const { text: body, headers } of await Promise.all(asked))
      expect([body, headers.connection]).to.deep.equal(["page", "close"]);
    expect((await ask("/", { headers: { connection: "keep-alive" } })).headers.connection).to.equal("close");
  });
});
