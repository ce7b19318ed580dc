import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { callUnary, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { startGrpcServer } from "@geolookup/shared/runtime/grpc/server.ts";
import { GEO } from "@geolookup/shared/runtime/grpc/services.ts";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { geoService } from "./geo-service.ts";
import { type OpenedLocator, openLocator } from "./locator.ts";
import { capturingLog, temporaryFolder, townDatabase, until } from "./testing/fixtures.ts";

const ADDRESSES = ["20.0.7.1", "20.0.7.200", "127.0.0.1", "99.0.0.1"];

describe("what gateways need to cache records", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let towns: string;
  let opened: AsyncDisposableStack;
  let locator: OpenedLocator;
  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    folder = temporaryFolder("geo-service");
    opened.defer(folder.remove);
    towns = join(folder.path, "towns.mmdb");
    writeFileSync(towns, townDatabase("Town"));
    const { log } = capturingLog();
    const databases = { files: [towns] };
    locator = opened.use(await openLocator({ databases, log, registry: new Registry(), pollIntervalMs: 5 }));
  });
  afterEach(() => opened.disposeAsync());

  /** Serves a locator. @returns a function that looks up all addresses. */
  const serve = async (served: OpenedLocator) => {
    const { log } = capturingLog();
    const options = { host: "127.0.0.1", port: 0, services: [geoService(served)], log };
    const { port } = opened.use(await startGrpcServer(options));
    const client = opened.use(openClient(`127.0.0.1:${port}`));
    return async (wantsAccuracies = false) => {
      const request = { addresses: ADDRESSES, wantsRecords: true, wantsAccuracies };
      return (await callUnary(client, GEO.Locate, request, { deadlineMs: 5_000 })).records;
    };
  };

  it("names the networks in which records are the same", async () => {
    const records = await (await serve(locator))();
    expect(records?.prefixLengths).to.deep.equal([24, 24, 0, 24]);
    expect(records?.members[0]).to.equal(records?.members[1]);
  });

  it("says how exact and how old places are, if asked", async () => {
    const look = await serve(locator);
    expect((await look())?.accuracies).to.deep.equal([]);
    expect((await look(true))?.accuracies).to.deep.equal(["built=2023-11-14", "built=2023-11-14", "", ""]);
  });

  it("identifies the node, and has a higher revision once its data have changed", async () => {
    const look = await serve(locator);
    const before = await look();
    expect(await look()).to.deep.equal(before);
    writeFileSync(`${towns}.new`, townDatabase("Newtown"));
    renameSync(`${towns}.new`, towns);
    await until(async () => (await look())?.members[0]?.includes("Newtown 7") ?? false, "the new data");
    const after = await look();
    expect(after?.nodeId).to.equal(before?.nodeId);
    expect(after?.dataRevision).to.be.above(before?.dataRevision ?? 0);
    const other = await (await serve(locator))();
    expect(other?.nodeId).to.not.equal(before?.nodeId);
  });
});
