import { once } from "node:events";
import { request } from "node:http";
import { type AddressInfo, createServer, type Server as TcpServer } from "node:net";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { startApp } from "./testing/start-app.ts";

const PAGE = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\nConnection: close\r\n\r\npage";
/** Invalid responses of a portal. */
const RESPONSES: Readonly<Record<string, string>> = {
  nothing: "",
  "invalid HTTP": "\x16\x03\x01\x02\x00\x01garbage\r\n\r\n",
  "half a header": "HTTP/1.1 200 OK\r\nContent-Ty",
  "two lengths": "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\npages",
  "an invalid status": "HTTP/1.1 99 What\r\nContent-Length: 0\r\n\r\n",
  "endless headers": `HTTP/1.1 200 OK\r\nX: ${"a".repeat(100_000)}\r\n\r\n`,
};

describe("gateway with an unavailable portal", () => {
  let portal: TcpServer;
  let gateway: Awaited<ReturnType<typeof startApp>>;
  /** What the portal sends before it closes the connection. */
  let portalResponse: string;

  before(async () => {
    portal = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end(portalResponse, "latin1"));
    }).listen(0, "127.0.0.1");
    await once(portal, "listening");
    const portalUrl = `http://127.0.0.1:${(portal.address() as AddressInfo).port}`;
    gateway = await startApp(portalUrl);
  });
  after(() => {
    portal.close();
    void gateway[Symbol.asyncDispose]();
  });

  async function fetchPage(path: string, host: string) {
    const outgoing = request({ host: "127.0.0.1", port: gateway.port, path, headers: { host }, agent: false }).end();
    const [res] = await once(outgoing, "response");
    return { status: res.statusCode, headers: res.headers, text: await text(res) };
  }

  async function expectApi() {
    const { status, headers } = await fetchPage("/v1/geo", "geo.test");
    expect([status, headers["x-ratelimit-limit"]]).to.deep.equal([200, "60"]);
  }

  async function expectUnavailable() {
    for (const path of ["/errors/not_found", "/console/keys"]) {
      const away = await fetchPage(path, "docs.test");
      expect([away.status, away.headers["cache-control"], away.headers["retry-after"]]).to.deep.equal([
        ...[503, "no-store", "1"],
      ]);
      const { error } = JSON.parse(away.text);
      expect(error).to.include({ code: "internal_error", docs: "http://docs.test/errors/internal_error" });
      expect(error.message).to.match(/^The docs site is not responding/);
    }
  }

  for (const [what, bytes] of Object.entries(RESPONSES))
    it(`returns 503 if the response is ${what}; the API is unaffected`, async () => {
      portalResponse = bytes;
      await expectUnavailable();
      await expectApi();
      portalResponse = PAGE;
      expect((await fetchPage("/", "docs.test")).text).to.equal("page");
    });

  it("aborts an aborted page; the API is unaffected", async () => {
    portalResponse = PAGE.replace("Content-Length: 4", "Content-Length: 400");
    const error = await fetchPage("/", "docs.test").catch((reason: NodeJS.ErrnoException) => reason);
    expect(error).to.have.property("code", "ECONNRESET");
    await expectApi();
  });

  it("returns 503 if the portal is down; the API is unaffected", async () => {
    portal.close();
    await once(portal, "close");
    await expectUnavailable();
    await expectApi();
  });
});
