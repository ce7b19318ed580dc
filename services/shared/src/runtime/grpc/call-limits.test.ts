import { once } from "node:events";
import { gzipSync } from "node:zlib";
import grpc from "@grpc/grpc-js";
import { expect } from "chai";
import { DEFAULT_MAX_REQUEST_BYTES, GRPC_LIMITS, MAX_BATCH } from "./limits.ts";
import { GEO } from "./services.ts";
import { limitedPorts } from "./testing/limited-port.ts";
import { beginCall, framed, statusOf } from "./testing/raw-grpc.ts";

const { INTERNAL, INVALID_ARGUMENT, OK, RESOURCE_EXHAUSTED } = grpc.status;

describe("a gRPC port refuses calls", () => {
  const start = limitedPorts();

  it("beyond the limit of a connection", async () => {
    const [settings] = (await once((await start()).session(), "remoteSettings")) as [{ maxConcurrentStreams: number }];
    expect(settings.maxConcurrentStreams).to.equal(GRPC_LIMITS.maxCallsPerConnection);
  });

  it("beyond the limit of an address, until others end", async () => {
    const port = await start({ maxCallsPerAddress: 2 });
    const session = port.session();
    for (let count = 0; count < 2; count += 1) beginCall(session, GEO.Locate.path);
    await port.waitForLocate(RESOURCE_EXHAUSTED);
    expect(await port.refused("calls_of_address")).to.be.above(0);
    session.destroy();
    await port.waitForLocate(OK);
  });

  it("beyond the total limit", async () => {
    const port = await start({ maxCalls: 1 });
    beginCall(port.session(), GEO.Locate.path);
    await port.waitForLocate(RESOURCE_EXHAUSTED);
    expect(await port.refused("calls")).to.be.above(0);
  });

  it("with a request that is too long", async () => {
    const port = await start();
    expect(await port.locate("a".repeat(DEFAULT_MAX_REQUEST_BYTES))).to.equal(RESOURCE_EXHAUSTED);
    expect(port.located).to.deep.equal([]);
  });

  const bodies: [what: string, body: Buffer, headers: Record<string, string>, status: grpc.status][] = [
    [
      "with a compressed request that is too long",
      framed(gzipSync(Buffer.alloc(64 * 2 ** 20)), true),
      { "grpc-encoding": "gzip" },
      RESOURCE_EXHAUSTED,
    ],
    ["with an invalid message", framed(Buffer.from("0affffff", "hex")), {}, INTERNAL],
  ];
  for (const [what, body, headers, expected] of bodies)
    it(what, async () => {
      const port = await start();
      const call = beginCall(port.session(), GEO.Locate.path, headers);
      const status = statusOf(call);
      call.end(body);
      expect(await status).to.equal(expected);
      expect(port.located).to.deep.equal([]);
    });

  it("with too much metadata", async () => {
    const port = await start();
    const headers = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`x-${index}`, "a".repeat(2_000)]));
    const call = beginCall(port.session(), GEO.Locate.path, headers);
    await new Promise((resolve) => call.on("close", resolve));
    expect(call.rstCode).not.to.equal(0);
    expect(port.located).to.deep.equal([]);
  });

  for (const address of ["192.0.2.1", ""])
    it(`with a batch of "${address}" that is too long`, async () => {
      const port = await start();
      const addresses = Array.from({ length: MAX_BATCH + 1 }, () => address);
      expect(await port.locate(...addresses)).to.equal(INVALID_ARGUMENT);
      expect(port.located).to.deep.equal([]);
      expect(await port.locate(...addresses.slice(1))).to.equal(OK);
    });
});
