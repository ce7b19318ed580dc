import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect } from "chai";
import { waitFor } from "../../../test/harness/wait-for.ts";
import { limitPipelining, MOST_PIPELINED } from "./pipelining.ts";

const TIMEOUT_MS = 10_000;

describe("requests that one connection sends without waiting", () => {
  let server: Server;
  let socket: Socket;
  let held: ServerResponse[];
  let received: string;
  beforeEach(async () => {
    held = [];
    received = "";
    const mayAnswer = limitPipelining();
    server = createServer((req, res) => {
      if (mayAnswer(req, res)) held.push(res);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.setEncoding("latin1").on("data", (text: string) => {
      received += text;
    });
    socket.on("error", () => undefined);
  });
  afterEach(() => {
    socket.destroy();
    server.close();
  });

  const send = (count: number) => socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(count));
  const came = (count: number) => waitFor(`${count} requests`, () => held.length === count, TIMEOUT_MS);
  const answerAll = async () => {
    for (const res of held) res.end("answered");
    const answered = held.length;
    await waitFor("the answers", () => received.split("answered").length - 1 === answered, TIMEOUT_MS);
    held = [];
    received = "";
  };

  it("are answered while no more than a hundred wait behind one, again and again", async () => {
    for (let times = 0; times < 3; times += 1) {
      send(MOST_PIPELINED + 1);
      await came(MOST_PIPELINED + 1);
      await answerAll();
    }
  });

  it("end the connection when they are more, and nothing is held for it", async () => {
    const closed = once(socket, "close");
    send(MOST_PIPELINED + 1_000);
    await closed;
    expect(held).to.have.length(MOST_PIPELINED + 1);
    await waitFor("its responses to be gone", () => held.every((res) => res.destroyed || res.closed), TIMEOUT_MS);
  });
});
