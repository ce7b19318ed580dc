import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect } from "chai";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { createFormReader, type FormError, type FormReader, hasBody } from "./form-reader.ts";

const DEADLINE_MS = 5_000;
/** A timeout that no test in this file reaches unintentionally. */
const LONG_MS = 60_000;

describe("a form reader", () => {
  let server: Server;
  let results: string[];
  const sockets: Socket[] = [];

  const start = async (
    reader: FormReader,
    inShort = (result: string) => (result.length > 100 ? `${result.length} bytes` : result),
  ) => {
    results = [];
    server = createServer(async (req, res) => {
      const result = hasBody(req)
        ? await reader.read(req).then(String, (error: FormError) => error.problem)
        : "no body";
      results.push(inShort(result));
      res.end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
  };
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
    server.closeAllConnections();
  });

  const send = (bytes: string) => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => {});
    sockets.push(socket);
    socket.write(bytes);
    return socket;
  };
  const post = (length: number, body = "") =>
    send(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n${body}`);
  const gives = (...expected: string[]) =>
    waitFor(`${expected}`, () => JSON.stringify(results) === JSON.stringify(expected), DEADLINE_MS);

  it("reads a complete body, also in chunks, and recognizes requests with a body", async () => {
    await start(createFormReader({ maxForms: 4, maxBytes: 65_536, timeoutMs: LONG_MS }));
    const socket = post(6, "tok");
    socket.write("en=");
    await gives("token=");
    send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na=b\r\n0\r\n\r\n");
    await gives("token=", "a=b");
    send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
    await gives("token=", "a=b", "no body");
  });

  it("refuses a body above the limit, and reads one of exactly the limit", async () => {
    await start(createFormReader({ maxForms: 4, maxBytes: 65_536, timeoutMs: LONG_MS }));
    post(65_536, "x".repeat(65_536));
    await gives("65536 bytes");
    post(65_537, "x".repeat(65_537));
    await gives("65536 bytes", "too_large");
    // More than it would read and drop, so it is refused before it is sent.
    post(50_000_000);
    await gives("65536 bytes", "too_large", "too_large");
  });

  it("refuses a body that takes too long, even if it keeps arriving", async () => {
    await start(createFormReader({ maxForms: 4, maxBytes: 65_536, timeoutMs: 200 }));
    const socket = post(1_000);
    const drip = setInterval(() => socket.write("x"), 20);
    try {
      await gives("too_slow");
    } finally {
      clearInterval(drip);
    }
  });

  it("drops the oldest body if there are too many, and bodies whose client disconnected", async () => {
    const reader = createFormReader({ maxForms: 2, maxBytes: 65_536, timeoutMs: LONG_MS });
    await start(reader);
    const slow = [post(10, "1"), post(10, "2")];
    await waitFor("both to be read", () => reader.inUse() === 2, DEADLINE_MS);
    post(4, "good");
    await gives("displaced", "good");
    for (const socket of slow) socket.destroy();
    await gives("displaced", "good", "aborted");
    expect(reader.inUse()).to.equal(0);
  });
});
