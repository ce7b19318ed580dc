import { connect } from "node:net";
import { expect } from "chai";
import { freshIpv4 } from "../harness/addresses.ts";
import type { Deployment } from "../harness/deployment.ts";
import { type HaproxyServer, startHaproxy } from "../harness/haproxy-server.ts";
import { keepAliveClient } from "../harness/load-client.ts";
import { startStandalone } from "../harness/standalone.ts";
import { waitFor } from "../harness/wait-for.ts";

const CLIENTS = 16;
const BAD_CONNECTIONS = 4_000;
const AT_ONCE = 40;
const BOOKED_TIMEOUT_MS = 20_000;
/** HAProxy responds to some of these itself. Each one that it forwards must get one response. */
const BAD_ENDS = [
  "\r\n\x00\x01\x02\r\n\r\n",
  "Transfer-Encoding: gzip\r\n\r\n",
  "Transfer-Encoding: chunked\r\n\r\nZZ\r\n",
  "Transfer-Encoding: chunked\r\n\r\n5\r\nab",
  "Content-Length: 5\r\n\r\nab",
  "Connection: Upgrade\r\nUpgrade: h2c\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n",
  "Expect: 100-continue\r\nContent-Length: 3\r\n\r\n",
  "Host: b\r\n\r\n",
];

/** HAProxy sends the requests of many clients over the same connections to the gateway. */
describe("HAProxy with pooled connections to a gateway", function () {
  this.timeout(120_000);
  let gateway: Deployment;
  let haproxy: HaproxyServer;
  const opened = new AsyncDisposableStack();
  before(async () => {
    gateway = opened.use(await startStandalone());
    const gatewayPort = Number(new URL(gateway.url).port);
    haproxy = opened.use(await startHaproxy({ gatewayPort, docsUrl: gateway.docsUrl }));
  });
  after(() => opened.disposeAsync());

  it("never mixes up clients' responses, no matter what invalid bytes others send", async () => {
    const { key, keyId } = await gateway.issueKey({ plan: "paid" });
    let bad = 0;
    let badServed = 0;
    const sendBad = async () => {
      while (bad < BAD_CONNECTIONS) {
        const end = BAD_ENDS[bad % BAD_ENDS.length] ?? "";
        bad += 1;
        const received = await exchangeBriefly(haproxy.url, `GET /v1/geo?key=${key} HTTP/1.1\r\nHost: a\r\n${end}`);
        badServed += received.match(/HTTP\/1\.1 200/g)?.length ?? 0;
      }
    };
    let served = 0;
    const sendGood = async () => {
      using client = keepAliveClient();
      const ip = freshIpv4();
      while (bad < BAD_CONNECTIONS) {
        const outcome = await client.get(`${haproxy.url}/v1/geo?key=${key}`, ip);
        if ("error" in outcome) throw new Error(outcome.error);
        expect([outcome.status, JSON.parse(outcome.body).ip]).to.deep.equal([200, ip]);
        served += 1;
      }
    };
    await Promise.all([...Array.from({ length: CLIENTS }, sendGood), ...Array.from({ length: AT_ONCE }, sendBad)]);
    expect(served).to.be.above(CLIENTS);
    const total = () => gateway.keys("usage", keyId).then((usage) => usage.total as number);
    await waitFor("every response to be counted", async () => (await total()) >= served + badServed, BOOKED_TIMEOUT_MS);
    // A request whose client disconnected early may have been counted.
    expect(await total()).to.be.at.most(served + BAD_CONNECTIONS);
  });
});

/** Writes bytes, and returns what arrives until the server closes the connection or sends nothing for a while. */
function exchangeBriefly(url: string, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(bytes, "latin1"));
    socket.setTimeout(100, () => socket.destroy());
    socket.on("data", (data: Buffer) => {
      received += data.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(received));
  });
}
