import { once } from "node:events";
import grpc from "@grpc/grpc-js";
import { expect } from "chai";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { GEO, USAGE } from "./services.ts";
import { DEADLINE_MS, limitedPorts, requestUnread } from "./testing/limited-port.ts";
import { beginCall, HANDSHAKE, PING, statusOf } from "./testing/raw-grpc.ts";

const { OK, UNAUTHENTICATED } = grpc.status;

describe("a gRPC port closes connections", () => {
  const start = limitedPorts();

  it("beyond the limit of an address, and accepts those of other addresses", async () => {
    const port = await start({ maxConnectionsPerAddress: 3 });
    const [held] = [await port.socket(), await port.socket(), await port.socket()];
    await waitFor("the fourth to be closed", (await port.socket()).isClosed, DEADLINE_MS);
    expect(await port.refused("connections_of_address")).to.equal(1);
    const { socket } = await port.socket("127.0.0.2");
    socket.write(HANDSHAKE);
    await once(socket, "data");
    held.socket.destroy();
    await port.waitForLocate(OK);
  });

  it("beyond the total limit", async () => {
    const port = await start({ maxConnections: 4 });
    for (const from of ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"]) await port.socket(from);
    await waitFor("the fifth to be closed", (await port.socket("127.0.0.6")).isClosed, DEADLINE_MS);
    expect(await port.refused("connections")).to.equal(1);
  });

  it("from one address and port to a second address of the service, and still limits the first", async () => {
    const port = await start({ maxConnectionsPerAddress: 1 }, "0.0.0.0");
    const first = await port.socket();
    const { localPort = 0 } = first.socket;
    const second = await port.socket({ address: "127.0.0.1", port: localPort }, "127.0.0.2");
    await waitFor("the second to be closed", second.isClosed, DEADLINE_MS);
    expect(first.isClosed()).to.equal(false);
    await waitFor("a third to be closed", (await port.socket()).isClosed, DEADLINE_MS);
    expect(await port.refused("connections_of_address")).to.equal(2);
  });

  it("that have reached the maximum age: with open calls, unread responses, pings, or without a handshake", async () => {
    const port = await start({ maxConnectionAgeMs: 1_000, maxConnectionAgeGraceMs: 200 });
    const [waiting, unread] = [port.session(), port.session()];
    // It never sends its request.
    beginCall(waiting, GEO.Locate.path);
    for (let count = 0; count < 20; count += 1) requestUnread(unread, GEO.Locate.path);
    const [silent, pinging] = [await port.socket(), await port.socket()];
    pinging.socket.write(HANDSHAKE);
    const pings = setInterval(() => pinging.socket.write(PING), 10);
    try {
      const areClosed = () => waiting.destroyed && unread.destroyed && silent.isClosed() && pinging.isClosed();
      await waitFor("all to be closed", areClosed, DEADLINE_MS);
    } finally {
      clearInterval(pings);
    }
    expect(await port.locate("a")).to.equal(OK);
  });

  it("that have reached the maximum age, although the client doesn't close its side", async () => {
    const port = await start({ maxConnectionsPerAddress: 1, maxConnectionAgeMs: 200, maxConnectionAgeGraceMs: 100 });
    const silent = await port.socket("127.0.0.1", "127.0.0.1", true);
    silent.socket.write(HANDSHAKE);
    await port.waitForLocate(OK);
  });
});

describe("a gRPC port refuses calls", () => {
  const start = limitedPorts();

  for (const [name, headers] of [
    ["without an admin token", {}],
    ["with a wrong admin token", { authorization: "Bearer wrong" }],
  ] as const)
    it(`${name}, before their request is read`, async () => {
      const port = await start();
      expect(await statusOf(beginCall(port.session(), USAGE.GetMonth.path, headers))).to.equal(UNAUTHENTICATED);
      expect(port.months()).to.equal(0);
      expect(await port.refused("unauthenticated")).to.equal(1);
      await port.getMonth();
      expect(port.months()).to.equal(1);
    });
});
