import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";
import { waitFor } from "./wait-for.ts";

describe("startTcpProxy", () => {
  let echo: Server;
  let proxy: TcpProxy;
  const received: string[] = [];
  before(async () => {
    echo = createServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", (data) => {
        received.push(String(data));
        socket.write(data);
      });
    }).listen(0, "127.0.0.1");
    await once(echo, "listening");
    proxy = await startTcpProxy((echo.address() as AddressInfo).port);
  });
  after(async () => {
    await proxy[Symbol.asyncDispose]();
    echo.close();
  });

  /** A client of the proxy that records the received bytes and whether it was closed. */
  const open = async () => {
    const socket: Socket = connect(proxy.port, "127.0.0.1");
    await once(socket, "connect");
    const client = { socket, received: "", closed: false };
    socket.on("data", (data) => {
      client.received += String(data);
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      client.closed = true;
    });
    return client;
  };

  it("passes bytes both ways, holds them while black-holed, on old and new connections, and then delivers them", async () => {
    const old = await open();
    old.socket.write("one ");
    await waitFor("the first echo", () => old.received === "one ", 2_000);
    proxy.blackhole();
    old.socket.write("two ");
    const late = await open();
    late.socket.write("three ");
    // Once a direct connection to the target has a response, held bytes would also have arrived.
    const direct = connect((echo.address() as AddressInfo).port, "127.0.0.1");
    direct.write("direct ");
    await once(direct, "data");
    direct.destroy();
    expect(received).to.deep.equal(["one ", "direct "]);
    expect([old.closed, late.closed]).to.deep.equal([false, false]);
    proxy.open();
    await waitFor("the held bytes", () => old.received === "one two " && late.received === "three ", 2_000);
    old.socket.destroy();
    late.socket.destroy();
  });

  it("delays bytes both ways, in order, also when the delay ends", async () => {
    const client = await open();
    proxy.delay(100);
    const startMs = performance.now();
    client.socket.write("1");
    await waitFor("the echo", () => client.received === "1", 2_000);
    expect(performance.now() - startMs).to.be.at.least(199);
    client.socket.write("2");
    await delay(20);
    proxy.delay(0);
    client.socket.write("3");
    await waitFor("all echoes", () => client.received === "123", 2_000);
    client.socket.destroy();
  });

  it("refuse closes open connections and new ones, until it is opened", async () => {
    const old = await open();
    proxy.refuse();
    const next = await open().catch(() => null);
    await waitFor("the resets", () => old.closed && (next?.closed ?? true), 2_000);
    proxy.open();
    const last = await open();
    last.socket.write("z");
    await waitFor("an echo", () => last.received === "z", 2_000);
    last.socket.destroy();
  });

  it("cut closes open connections and accepts new ones", async () => {
    const client = await open();
    client.socket.write("x");
    await waitFor("an echo", () => client.received === "x", 2_000);
    proxy.cut();
    await waitFor("the cut", () => client.closed, 2_000);
    const next = await open();
    next.socket.write("y");
    await waitFor("an echo", () => next.received === "y", 2_000);
    next.socket.destroy();
  });
});
