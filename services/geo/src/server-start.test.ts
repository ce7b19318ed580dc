import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { callUnary, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { GEO } from "@geolookup/shared/runtime/grpc/services.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { expect } from "chai";
import { readConfig } from "./config.ts";
import { startGeo } from "./server.ts";
import { temporaryFolder, townDatabase } from "./testing/fixtures.ts";

describe("starting the geo service", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let towns: string;
  before(() => {
    folder = temporaryFolder("geo");
    towns = join(folder.path, "towns.mmdb");
    writeFileSync(towns, townDatabase("Town"));
  });
  after(() => folder.remove());

  const start = (settings: Readonly<Record<string, string>>) =>
    startGeo(readConfig({ PORT: "0", OPS_PORT: "0", LOG_LEVEL: "error", GEO_DATABASES: towns, ...settings }));
  const failure = (settings: Readonly<Record<string, string>>) =>
    start(settings).then(
      () => null,
      (error: unknown) => error,
    );

  it("fails without its databases", async () => {
    expect(await failure({ GEO_DATABASES: join(folder.path, "none.mmdb") }))
      .to.be.instanceOf(StartError)
      .with.property("message")
      .that.matches(/none\.mmdb is missing/);
  });

  it("fails if another program uses the port", async () => {
    await using geo = await start({});
    expect(await failure({ PORT: String(geo.port) })).to.be.instanceOf(StartError);
  });

  it("serves on an IPv6 address", async () => {
    await using geo = await start({ HOST: "::1" });
    using client = openClient(`ipv6:[::1]:${geo.port}`);
    const { databases } = await callUnary(client, GEO.ListDatabases, {}, { deadlineMs: 5_000 });
    expect(databases).to.have.length(1);
  });
});
