import { once } from "node:events";
import { request } from "node:http";
import { type AddressInfo, createServer, type Server as TcpServer } from "node:net";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { startApp } from "./testing/start-app.ts";

const PAGE = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\nConnection: close\r\n\r\npage";
/** What may come back from where the portal should be. */
const ANSWERS: Readonly<Record<string, string>> = {
  nothing: "",
  "what is no HTTP": "\x16\x03\x01\x02\x00\x01garbage\r\n\r\n",
  "half a header": "HTTP/1.1 200 OK\r\nContent-Ty",
  "two lengths": "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\npages",
  "a status that is none": "HTTP/1.1 99 What\r\nContent-Length: 0\r\n\r\n",
  "headers without end": `HTTP/1.1 200 OK\r\nX: ${"a".repeat(100_000)}\r\n\r\n`,
};

describe("a gateway whose docs site is away", () => {
  let portal: TcpServer;
  let gateway: Awaited<ReturnType<typeof startApp>>;
  /** What the portal writes before it hangs up. */
  let answer: string;

  before(async () => {
    portal = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end(answer, "latin1"));
    }).listen(0, "127.0.0.1");
    await once(portal, "listening");
    const portalUrl = `http://127.0.0.1:${(portal.address() as AddressInfo).port}`;
    gateway = await startApp(portalUrl);
  });
  after(() => {
    portal.close();
    void gateway.close();
  });

  async function ask(path: string, host: string) {
    const asked = request({ host: "127.0.0.1", port: gateway.port, path, headers: { host }, agent: false }).end();
    const [res] = await once(asked, "response");
    return { status: res.statusCode, headers: res.headers, text: await text(res) };
  }

  async function expectApi() {
    const { status, headers } = await ask("/v1/geo", "geo.test");
    expect([status, headers["x-ratelimit-limit"]]).to.deep.equal([200, "60"]);
  }

  async function expectAway() {
    for (const path of ["/errors/not_found", "/console/keys"]) {
      const away = await ask(path, "docs.test");
      expect([away.status, away.headers["cache-control"], away.headers["retry-after"]]).to.deep.equal([
        ...[503, "no-store", "1"],
      ]);
      const { error } = JSON.parse(away.text);
      expect(error).to.include({ code: "internal_error", docs: "http://docs.test/errors/internal_error" });
      expect(error.message).to.match(/^The docs site is not responding/);
    }
  }

  for (const [what, bytes] of Object.entries(ANSWERS))
    it(`says so when the answer is ${what}; the API goes on`, async () => {
      answer = bytes;
      await expectAway();
      await expectApi();
      answer = PAGE;
      expect((await ask("/", "docs.test")).text).to.equal("page");
    });

  it("breaks off a page that breaks off; the API goes on", async () => {
    answer = PAGE.replace("Content-Length: 4", "Content-Length: 400");
    const error = await ask("/", "docs.test").catch((reason: NodeJS.ErrnoException) => reason);
    expect(error).to.have.property("code", "ECONNRESET");
    await expectApi();
  });

  it("says so when nobody is there any longer; the API goes on", async () => {
    portal.close();
    await once(portal, "close");
    await expectAway();
    await expectApi();
  });
});
