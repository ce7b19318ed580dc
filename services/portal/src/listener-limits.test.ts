import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect } from "chai";
import { waitFor } from "../../../test/harness/wait-for.ts";
import { readConfig } from "./config.ts";
import { startPortal } from "./server.ts";

const MAX_CONNECTIONS = 2_000;
const DEADLINE_MS = 15_000;

describe("the portal's listener", () => {
  let portal: Awaited<ReturnType<typeof startPortal>>;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    portal = await startPortal(readConfig({ PORT: "0", OPS_PORT: "0", LOG_LEVEL: "error" }));
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await portal[Symbol.asyncDispose]();
  });

  const open = (bytes = "") => {
    const socket = connect(portal.port, "127.0.0.1").on("error", () => {});
    sockets.push(socket);
    if (bytes !== "") socket.write(bytes);
    return socket.resume();
  };

  it("closes connections whose headers or body don't arrive in time, even if bytes keep arriving", async function () {
    this.timeout(DEADLINE_MS * 2);
    const slow = [
      open("GET / HTTP/1.1\r\nHost: a\r\n"),
      open("POST /console/sign-in HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n"),
    ];
    using _drip = setInterval(() => {
      for (const socket of slow) socket.write("x");
    }, 100);
    await waitFor("both to be closed", () => slow.every((socket) => socket.closed), DEADLINE_MS);
  });

  it("accepts 2,000 connections at once, and new ones when some are closed", async () => {
    const held = Array.from({ length: MAX_CONNECTIONS }, () => open());
    await Promise.all(held.map((socket) => once(socket, "connect")));
    const get = () => open("GET /errors HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    const responds = async () => {
      const socket = get();
      const received = await Promise.race([once(socket, "data"), once(socket, "close").then(() => null)]);
      return received !== null;
    };
    await waitFor("a connection too many to be dropped", async () => !(await responds()), DEADLINE_MS);
    for (const socket of held.slice(0, 100)) socket.destroy();
    await waitFor("room again", responds, DEADLINE_MS);
    expect(held.at(-1)?.destroyed).to.equal(false);
  });
});
