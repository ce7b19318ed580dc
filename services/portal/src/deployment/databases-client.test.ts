import { serve } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { startGrpcServer } from "@geolookup/shared/runtime/grpc/server.ts";
import { GEO } from "@geolookup/shared/runtime/grpc/services.ts";
import { expect } from "chai";
import { pino } from "pino";
import { connectDatabases } from "./databases-client.ts";

const log = pino({ level: "silent" });
const MINUTE_MS = 60_000;

describe("connectDatabases", () => {
  let now = 0;
  let calls = 0;
  let reportCalls = 0;
  let names: string[];
  let status: { isRefreshed: boolean; refresh: { nextRunAt: string } };
  let opened: AsyncDisposableStack;

  beforeEach(() => {
    opened = new AsyncDisposableStack();
    calls = 0;
    reportCalls = 0;
    names = ["city.mmdb"];
    status = { isRefreshed: true, refresh: { nextRunAt: "2026-11-23T04:00:00Z" } };
  });
  afterEach(() => opened.disposeAsync());

  async function startGeo(respond = () => ({ databases: names.map((name) => ({ name, databaseType: "City" })) })) {
    const listDatabases = () => {
      calls += 1;
      return respond();
    };
    const getDataReport = () => {
      reportCalls += 1;
      return {};
    };
    const answers = { ListDatabases: listDatabases, GetDataReport: getDataReport, GetDataStatus: () => status };
    const services = [serve(GEO, answers)];
    const server = opened.use(await startGrpcServer({ host: "127.0.0.1", port: 0, services, log }));
    server.setServing(true);
    return server;
  }
  function connect(port: number) {
    return opened.use(connectDatabases(`ipv4:127.0.0.1:${port}`, { log, clock: () => now }));
  }

  it("lists the databases that geo has loaded, with default values", async () => {
    const { databases } = connect((await startGeo()).port);
    expect(await databases()).to.deep.equal([
      { name: "city.mmdb", databaseType: "City", buildUnixSeconds: 0, attribution: "", attributionUrl: "" },
    ]);
  });

  it("says when newer data is looked for next, if anything looks", async () => {
    const { nextRefreshAt } = connect((await startGeo()).port);
    expect(await nextRefreshAt()).to.equal("2026-11-23T04:00:00Z");
    status = { isRefreshed: false, refresh: { nextRunAt: "2026-11-24T04:00:00Z" } };
    now += MINUTE_MS;
    expect(await nextRefreshAt()).to.equal(null);
  });

  it("fetches the list once for many pages, and refetches it after a minute", async () => {
    const { databases } = connect((await startGeo()).port);
    await Promise.all([databases(), databases(), databases()]);
    now += MINUTE_MS - 1;
    await databases();
    expect(calls).to.equal(1);
    names = ["newer.mmdb"];
    now += 1;
    expect((await databases())?.map(({ name }) => name)).to.deep.equal(["newer.mmdb"]);
    expect(calls).to.equal(2);
  });

  it("falls back to the last known list when geo fails, and retries after a while", async () => {
    let fails = false;
    const { port } = await startGeo(() => {
      if (fails) throw new Error("a fault of geo's");
      return { databases: [{ name: "city.mmdb", databaseType: "City" }] };
    });
    const { databases } = connect(port);
    await databases();
    fails = true;
    now += MINUTE_MS;
    expect(await databases()).to.have.length(1);
    await databases();
    expect(calls).to.equal(2);
    now += 5_000;
    fails = false;
    await databases();
    expect(calls).to.equal(3);
  });

  it("reads the report about the data every 5 seconds at most, and says when geo doesn't respond", async () => {
    const server = await startGeo();
    const { report } = connect(server.port);
    expect(await Promise.all([report(), report()])).to.deep.equal(["none", "none"]);
    now += 4_999;
    expect(await report()).to.equal("none");
    expect(reportCalls).to.equal(1);
    await server[Symbol.asyncDispose]();
    now += 1;
    expect(await report()).to.equal("unavailable");
  });

  it("returns null while geo has never responded", async () => {
    const server = await startGeo();
    await server[Symbol.asyncDispose]();
    expect(await connect(server.port).databases()).to.equal(null);
  });
});
