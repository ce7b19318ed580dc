import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect } from "chai";
import { type HaproxyServer, startHaproxy } from "../harness/haproxy-server.ts";
import { type Sent, send } from "../harness/http.ts";
import { startLoad } from "../harness/load.ts";
import { waitFor } from "../harness/wait-for.ts";

const MAX_CONNECTIONS_OF_ONE_CLIENT = 2_000;
const RELOAD_CLIENTS = 100;
const RELOADS = 5;
const DOCS_HOST = "docs.example.test";

describe("HAProxy in front of the gateways", () => {
  let gateway: Server;
  let haproxy: HaproxyServer;
  let requests: string[];

  before(async function () {
    this.timeout(60_000);
    // Responds with the status in the path, and never to /silent.
    gateway = createServer((req, res) => {
      requests.push(`${req.method} ${req.url}`);
      const status = req.url === "/v1/geo" ? 200 : Number(req.url?.slice(1));
      if (status) res.writeHead(status, { "Content-Type": "text/html", "Retry-After": "7" }).end("the gateway's own");
      else res.destroy();
    }).listen(0, "127.0.0.1");
    await once(gateway, "listening");
    const { port } = gateway.address() as AddressInfo;
    haproxy = await startHaproxy({ gatewayPort: port, docsUrl: `https://${DOCS_HOST}` });
  });
  beforeEach(() => {
    requests = [];
  });
  after(async () => {
    await haproxy?.[Symbol.asyncDispose]();
    gateway?.close();
    gateway?.closeAllConnections();
  });

  const ask = (sent: Sent) => send(haproxy.url, sent);

  for (const host of [DOCS_HOST, "geo.example.test"])
    for (const status of [200, 404, 500, 502, 503, 504])
      it(`passes on a ${status} of ${host} unchanged`, async () => {
        const response = await ask({ host, path: `/${status}` });
        expect([response.status, response.text]).to.deep.equal([status, "the gateway's own"]);
        expect(response.headers).to.include({ "content-type": "text/html", "retry-after": "7" });
        expect(response.headers).to.not.have.any.keys("access-control-allow-origin", "cache-control");
      });

  it("returns the API's error for an unresponsive gateway, with CORS headers", async () => {
    const { status, headers, json } = await ask({ host: "geo.example.test", path: "/silent" });
    expect([status, json.error.code]).to.deep.equal([500, "internal_error"]);
    expect(json.error.docs).to.equal(`https://${DOCS_HOST}/errors/internal_error`);
    expect(headers).to.include({
      "access-control-allow-origin": "*",
      "access-control-expose-headers":
        "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Geolookup-Notice, X-Geolookup-Accuracy",
      "cache-control": "no-store",
      "retry-after": "1",
    });
  });

  for (const host of [DOCS_HOST, DOCS_HOST.toUpperCase()])
    it(`returns an error without CORS headers for an unavailable page of ${host}`, async () => {
      const { status, headers } = await ask({ host, path: "/silent" });
      expect([status, headers["cache-control"], headers["retry-after"]]).to.deep.equal([502, "no-store", "1"]);
      expect(headers).to.not.have.any.keys("access-control-allow-origin", "access-control-expose-headers");
    });

  it("accepts 2,000 connections from one client and closes more", async () => {
    const { port } = new URL(haproxy.url);
    const sockets = Array.from({ length: MAX_CONNECTIONS_OF_ONE_CLIENT + 100 }, () => {
      const socket = connect(Number(port), "127.0.0.1");
      return socket.on("error", () => {}).resume();
    });
    const open = () => sockets.filter(({ pending, destroyed }) => !pending && !destroyed).length;
    const closed = () => sockets.filter(({ destroyed }) => destroyed).length;
    try {
      await waitFor("some to be closed", () => open() + closed() === sockets.length && closed() >= 100, 10_000);
      // Connections of earlier tests may still be open.
      expect(open()).to.be.within(MAX_CONNECTIONS_OF_ONE_CLIENT - 50, MAX_CONNECTIONS_OF_ONE_CLIENT);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    await waitFor("room again", async () => (await ask({ path: "/200" }).catch(() => null))?.status === 200, 10_000);
  });

  it("closes no connection that a client is about to use when it is reloaded", async () => {
    const load = startLoad({ urls: [haproxy.url], keys: [], clients: RELOAD_CLIENTS, requestsPerSecond: 2_000 });
    for (let reload = 0; reload < RELOADS; reload++) {
      await load.more(1_000);
      haproxy.reload();
    }
    await load.more(1_000);
    const { errors, statuses } = await load.stop();
    expect({ errors, statuses: Object.keys(statuses) }).to.deep.equal({ errors: {}, statuses: ["200"] });
  });

  it("retries requests without a response, but never sends a form twice", async () => {
    await ask({ host: DOCS_HOST, path: "/silent" });
    expect(requests).to.have.length.above(1);
    requests = [];
    const form = await ask({ host: DOCS_HOST, method: "POST", path: "/console/keys/new", body: "label=x" });
    expect([form.status, requests]).to.deep.equal([502, ["POST /console/keys/new"]]);
  });
});
