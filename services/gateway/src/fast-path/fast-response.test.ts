import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect } from "chai";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { FastResponse } from "./fast-response.ts";

const TIMEOUT_MS = 10_000;
/** More than the kernel holds for a client that doesn't read. */
const LARGE_BYTES = 20_000_000;

describe("FastResponse", () => {
  let client: Socket;
  let socket: Socket;
  let response: FastResponse;
  let sent: number;
  beforeEach(async () => {
    const server = createServer();
    const accepted = once(server.listen(0, "127.0.0.1"), "connection");
    await once(server, "listening");
    client = connect((server.address() as AddressInfo).port).pause();
    await once(client, "connect");
    [socket] = (await accepted) as [Socket];
    server.close();
    socket.on("error", () => {});
    sent = 0;
    response = new FastResponse(socket, 5);
    response.on("close", () => {
      sent += 1;
    });
  });
  afterEach(() => {
    client.destroy();
    socket.destroy();
  });
  const send = (bytes: number) => response.writeHead(200, { "Content-Length": bytes }).end("a".repeat(bytes), "latin1");

  it("is sent once the kernel has it", () => {
    send(1);
    expect(sent).to.equal(1);
  });

  it("isn't sent before a client has read what the kernel doesn't hold", async () => {
    send(LARGE_BYTES);
    expect([socket.writableLength > 0, sent]).to.deep.equal([true, 0]);
    client.resume();
    await waitFor("the response to be sent", () => sent === 1, TIMEOUT_MS);
  });

  it("isn't sent to a client that has left", async () => {
    client.resetAndDestroy();
    send(1);
    await waitFor("the connection to close", () => socket.closed, TIMEOUT_MS);
    expect(sent).to.equal(0);
  });

  it("isn't sent on a closed connection", () => {
    socket.destroy();
    send(1);
    expect(sent).to.equal(0);
  });

  for (const headers of [{ "X-Notice": "a\r\nX-Other: b" }, ["X-Notice", "a\n"], { "X-Notice": "\u{1f30d}" }])
    it(`refuses ${JSON.stringify(headers)}, as Node does`, () =>
      expect(() => response.writeHead(200, headers as string[])).to.throw("invalid character"));
});
