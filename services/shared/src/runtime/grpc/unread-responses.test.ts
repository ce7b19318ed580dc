import { once } from "node:events";
import grpc from "@grpc/grpc-js";
import { expect } from "chai";
import { GEO } from "./services.ts";
import { limitedPorts, requestUnread } from "./testing/limited-port.ts";

const { OK, RESOURCE_EXHAUSTED } = grpc.status;

describe("responses that a gRPC client doesn't read", () => {
  const start = limitedPorts();

  it("on a connection: further calls on the connection are refused", async () => {
    const port = await start({ maxUnsentBytesPerConnection: 300_000 });
    const session = port.session();
    for (let count = 0; count < 20; count += 1) requestUnread(session, GEO.Locate.path, 1).end();
    await port.waitForRefusals("unsent_responses", 10);
    expect(port.located.length).to.be.below(10);
    expect(await port.locate("a")).to.equal(OK);
  });

  it("for too long: their connection is closed", async () => {
    const port = await start({ stalledWriteTimeoutMs: 2_000 });
    const session = port.session();
    for (let count = 0; count < 20; count += 1) requestUnread(session, GEO.Locate.path, 1).end();
    await once(session, "close");
    expect(await port.refused("stalled_write")).to.equal(1);
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
