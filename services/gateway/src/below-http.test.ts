import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect } from "chai";
import { answerBelowHttp } from "./below-http.ts";

describe("answerBelowHttp", () => {
  let server: Server;
  let refused: number;
  let sockets: Socket[];
  beforeEach(async () => {
    refused = 0;
    sockets = [];
    server = createServer((_req, res) => res.end("served"));
    answerBelowHttp(server, {
      docsUrl: () => "https://docs.example.com",
      clock: Date.now,
      refused: () => {
        refused += 1;
      },
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });

  const open = async (text: string, options: { allowHalfOpen?: boolean } = {}): Promise<Socket> => {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: "127.0.0.1", ...options });
    sockets.push(socket);
    await once(socket, "connect");
    socket.write(text);
    return socket;
  };
  const answerOf = async (socket: Socket): Promise<string> => {
    let text = "";
    for await (const chunk of socket) text += chunk;
    return text;
  };

  for (const [name, request, says] of [
    ["garbage", "\x00\x01\x02\r\n\r\n", "could not be read"],
    ["headers of 20 kB", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(20_000)}\r\n\r\n`, "too large"],
    ["Expect", "GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n", "`Expect`"],
    ["CONNECT", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", "no proxy"],
  ] as const) {
    it(`${name}: answered with what is wrong, counted, closed`, async () => {
      const answer = await answerOf(await open(request));
      expect(answer)
        .to.match(/^HTTP\/1\.1 404 Not Found\r\n/)
        .and.include('"code":"not_found"')
        .and.include(says);
      expect(answer).to.include("Access-Control-Allow-Origin: *");
      expect(refused).to.equal(1);
    });
  }

  it("outlives a tunnel that is reset", async () => {
    const reset = await open("CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n");
    reset.resetAndDestroy();
    const after = await open("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    expect(await answerOf(after)).to.include("served");
  });

  it("lets go of a tunnel that is held half open", async () => {
    const held = await open("CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", { allowHalfOpen: true });
    held.resume();
    await once(held, "end");
    server.close();
    await once(server, "close");
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
});
