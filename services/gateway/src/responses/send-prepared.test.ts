import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { SERVER_OPTIONS } from "../connections/server-options.ts";
import { announceKeepAlive, headerLines, headersOf, sendPrepared } from "./send-prepared.ts";

const HEADERS = { "Content-Length": "8", Vary: "Origin, X-Forwarded-For", "X-Geo-City": "a: b" };

describe("sendPrepared", () => {
  const send: Record<string, (res: ServerResponse, body: string) => void> = {
    "/prepared": (res, body) => sendPrepared(res, headerLines(HEADERS), body, "utf8"),
    "/plain": (res, body) => res.writeHead(200, HEADERS).end(body),
  };
  const server = createServer({ ...SERVER_OPTIONS, keepAliveTimeout: 620_000 }, (req, res) => {
    if (req.headers["x-close"] !== undefined) res.setHeader("Connection", "close");
    send[req.url ?? ""]?.(res, "Zürich!");
  });
  // As the service does for bodies that it doesn't read: it responds without asking for them.
  server.on("checkContinue", (req, res) => server.emit("request", req, res));
  before(() => announceKeepAlive(620));
  before(() => once(server.listen(0, "127.0.0.1"), "listening"));
  after(() => server.close());

  const exchange = async (request: string) => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.write(request.replaceAll("\n", "\r\n"));
    return (await text(socket)).replaceAll(/Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g, "Date: now");
  };
  for (const [what, request] of Object.entries({
    "several requests of a connection": "GET URL HTTP/1.1\nHost: a\n\nGET URL HTTP/1.1\nHost: a\nConnection: close\n\n",
    HEAD: "HEAD URL HTTP/1.1\nHost: a\n\nGET URL HTTP/1.1\nHost: a\nConnection: close\n\n",
    "HTTP/1.0": "GET URL HTTP/1.0\n\n",
    "HTTP/1.0 that keeps the connection": "GET URL HTTP/1.0\nConnection: keep-alive\n\nGET URL HTTP/1.0\n\n",
    "a response that asks to close": "GET URL HTTP/1.1\nHost: a\nX-Close: 1\n\n",
    "Expect: 100-continue": "POST URL HTTP/1.1\nHost: a\nContent-Length: 2\nExpect: 100-continue\n\n",
  }))
    it(`sends the same bytes as writeHead: ${what}`, async () => {
      const prepared = await exchange(request.replaceAll("URL", "/prepared"));
      expect(prepared).to.equal(await exchange(request.replaceAll("URL", "/plain")));
      expect(prepared).to.include("X-Geo-City: a: b\r\n").and.to.include("Date: now\r\n");
    });

  it("sends the current date", async () => {
    const dateOf = async () => {
      const { port } = server.address() as AddressInfo;
      const response = await fetch(`http://127.0.0.1:${port}/prepared`);
      return Date.parse(response.headers.get("Date") ?? "");
    };
    const first = await dateOf();
    expect(Math.abs(Date.now() - first)).to.be.below(2_000);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await dateOf()).to.be.above(first);
  });

  it("keeps lines as names and values in turn", () =>
    expect(headersOf(headerLines(HEADERS))).to.deep.equal(Object.entries(HEADERS).flat()));
});
