import { once } from "node:events";
import grpc from "@grpc/grpc-js";
import { expect } from "chai";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { GEO } from "./services.ts";
import { DEADLINE_MS, limitedPorts, requestUnread } from "./testing/limited-port.ts";

const { OK, RESOURCE_EXHAUSTED } = grpc.status;

describe("responses that a gRPC client doesn't read", () => {
  const start = limitedPorts();

  it("on a stream: its requests wait, and its connection is closed", async () => {
    const port = await start({ maxUnsentBytesPerStream: 300_000, stalledWriteTimeoutMs: 2_000 });
    const session = port.session();
    requestUnread(session, GEO.LocateStream.path, 1_000);
    await once(session, "close");
    expect(await port.refused("stalled_write")).to.equal(1);
    // The unsent ones, those in transit (64 kB), and the one that reached the limit.
    expect(port.located.length).to.be.within(3, 6);
    expect(await port.locate("a")).to.equal(OK);
  });

  for (const limit of ["maxUnsentBytesPerConnection", "maxUnsentBytes"] as const)
    it(`on many streams (${limit}): a client that reads still gets its responses`, async () => {
      const port = await start({ [limit]: 300_000 });
      const session = port.session();
      const calls = Array.from({ length: 10 }, () => requestUnread(session, GEO.LocateStream.path, 20));
      await waitFor("a request of each stream", () => port.located.length >= calls.length, DEADLINE_MS);
      const stream = port.locateStream();
      for (let count = 0; count < 50; count += 1) {
        stream.write({ addresses: ["a"] });
        await once(stream, "data");
      }
      stream.end();
      // One of each stream, those that reach the limit, and those in transit (64 kB).
      expect(port.located.length - 50).to.be.within(10, 15);
      // Once the others read, they get all their responses.
      for (const call of calls) call.resume();
      await waitFor("all requests to be handled", () => port.located.length === 250, DEADLINE_MS);
    });

  it("of unary calls: further calls on the connection are refused", async () => {
    const port = await start({ maxUnsentBytesPerConnection: 300_000 });
    const session = port.session();
    for (let count = 0; count < 20; count += 1) requestUnread(session, GEO.Locate.path, 1).end();
    await port.waitForRefusals("unsent_responses", 10);
    expect(port.located.length).to.be.below(10);
    expect(await port.locate("a")).to.equal(OK);
  });

  it("in total: calls from all clients are refused until the connection ends", async () => {
    const port = await start({ maxUnsentBytes: 300_000 });
    const session = port.session();
    for (let count = 0; count < 20; count += 1) requestUnread(session, GEO.Locate.path, 1).end();
    await port.waitForRefusals("unsent_responses", 10);
    expect(await port.locate("a")).to.equal(RESOURCE_EXHAUSTED);
    session.destroy();
    await port.waitForLocate(OK);
  });
});
