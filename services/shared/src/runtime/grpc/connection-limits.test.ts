import { once } from "node:events";
import grpc from "@grpc/grpc-js";
import { expect } from "chai";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { GRPC_LIMITS } from "./limits.ts";
import { GEO, USAGE } from "./services.ts";
import { DEADLINE_MS, limitedPorts } from "./testing/limited-port.ts";
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

  it("that one address opens too quickly", async () => {
    const port = await start({ maxConnectionBurst: 5, maxNewConnectionsPerSecond: 1 });
    for (let count = 0; count < 20; count += 1) (await port.socket("127.0.0.2")).socket.destroy();
    await port.waitForRefusals("connection_rate", 10);
    expect(await port.locate("a")).to.equal(OK);
  });

  it("from one address and port to a second address of the service, and still limits the first", async () => {
    const port = await start({ handshakeTimeoutMs: 500 }, "0.0.0.0");
    const first = await port.socket();
    const { localPort = 0 } = first.socket;
    const second = await port.socket({ address: "127.0.0.1", port: localPort }, "127.0.0.2");
    await waitFor("both to be closed", () => first.isClosed() && second.isClosed(), DEADLINE_MS);
    expect(await port.refused("connections_of_address")).to.equal(1);
    expect(await port.refused("handshake_timeout")).to.equal(1);
  });

  it("without a complete handshake in time", async () => {
    const port = await start({ handshakeTimeoutMs: 500 });
    const [silent, slow, good] = [await port.socket(), await port.socket(), await port.socket()];
    slow.socket.write(HANDSHAKE.subarray(0, 10));
    good.socket.write(HANDSHAKE);
    await waitFor("both to be closed", () => silent.isClosed() && slow.isClosed(), DEADLINE_MS);
    expect(await port.refused("handshake_timeout")).to.equal(2);
    expect(good.isClosed()).to.equal(false);
  });

  it("that have reached the maximum age, even with open calls", async () => {
    const session = (await start({ maxConnectionAgeMs: 300, maxConnectionAgeGraceMs: 200 })).session();
    // It never sends its request.
    beginCall(session, GEO.Locate.path);
    await waitFor("the connection to be closed", () => session.destroyed, DEADLINE_MS);
  });

  it("that send only pings", async () => {
    const port = await start({ maxControlBytes: 100_000, maxControlBytesPerSecond: 1_000 });
    const [polite, { socket, isClosed }] = [await port.socket(), await port.socket()];
    polite.socket.write(Buffer.concat([HANDSHAKE, PING]));
    socket.write(HANDSHAKE);
    // A few at a time: many unsent responses would also close the connection.
    const pinging = setInterval(() => socket.write(Buffer.alloc(500 * PING.length, PING)), 10);
    try {
      await waitFor("it to be closed", isClosed, DEADLINE_MS);
    } finally {
      clearInterval(pinging);
    }
    expect(await port.refused("control_frames")).to.equal(1);
    expect(polite.isClosed()).to.equal(false);
  });

  it("but not for many long requests", async () => {
    const port = await start({ maxControlBytes: 1_000, maxControlBytesPerSecond: 1_000, headerBytesPerCall: 1_000 });
    const text = "a".repeat(50_000);
    for (let count = 0; count < 60; count += 1) await port.locate(text);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await port.locate(text)).to.equal(OK);
    expect(await port.refused("control_frames")).to.equal(0);
  });

  for (const [name, headers] of [
    ["without an admin token", {}],
    ["with a wrong admin token", { authorization: "Bearer wrong" }],
  ] as const)
    it(`after some calls ${name}, each refused before its request is read`, async () => {
      const port = await start();
      const session = port.session();
      const { maxRefusedCallsPerConnection: limit } = GRPC_LIMITS;
      for (let count = 1; count <= limit; count += 1)
        expect(await statusOf(beginCall(session, USAGE.GetMonth.path, headers))).to.equal(UNAUTHENTICATED);
      await waitFor("the connection to be closed", () => session.destroyed, DEADLINE_MS);
      expect(port.months()).to.equal(0);
      expect(await port.refused("unauthenticated")).to.equal(limit);
      expect(await port.refused("unauthenticated_connection")).to.equal(1);
      await port.getMonth();
      expect(port.months()).to.equal(1);
    });
});
