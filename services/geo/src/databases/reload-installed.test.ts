import { mkdirSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { type OpenedLocator, openLocator } from "../locator.ts";
import { buildMmdb } from "../mmdb/writer.ts";
import { capturingLog, temporaryFolder, townDatabase, until } from "../testing/fixtures.ts";

const POLL_MS = 5;

/** Networks of 20.0.0.0/8, of one operator. */
const networks = (organization: string) =>
  buildMmdb({
    databaseType: "geolookup-ASN",
    ipVersion: 6,
    recordSize: 24,
    entries: [["20.0.0.0/8", { autonomous_system_number: 64_500, autonomous_system_organization: organization }]],
  });

describe("a locator of installed databases", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let registry: Registry;
  let captured: ReturnType<typeof capturingLog>;
  let locator: OpenedLocator;

  const addVersion = (version: string, files: Readonly<Record<string, Buffer>>) => {
    const path = join(folder.path, "versions", version);
    mkdirSync(path, { recursive: true });
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(path, name), bytes);
  };
  const use = (text: string) => {
    writeFileSync(join(folder.path, "current.new"), text);
    renameSync(join(folder.path, "current.new"), join(folder.path, "current.json"));
  };
  const useVersion = (version: string, ...databases: string[]) => use(JSON.stringify({ version, databases }));
  const place = () => {
    const { city, asOrganization } = locator.locatePlace("20.0.7.1").place;
    return [city, asOrganization];
  };
  const counted = async (database: string, result: string) => {
    const metrics = await registry.metrics();
    const name = `geolookup_geo_database_reloads_total{database="${database}",result="${result}"}`;
    return Number(
      metrics
        .split("\n")
        .find((line) => line.startsWith(name))
        ?.split(" ")
        .at(-1) ?? 0,
    );
  };

  /** The files that are refused or gone, and whether they are. */
  const refused = async () => {
    const { values = [] } = (await registry.getSingleMetric("geolookup_geo_database_refused")?.get()) ?? {};
    return Object.fromEntries(values.map(({ labels, value }) => [labels.database, value]));
  };

  beforeEach(async () => {
    folder = temporaryFolder("installed");
    registry = new Registry();
    captured = capturingLog();
    addVersion("v1", { "towns.mmdb": townDatabase("First"), "asn.mmdb": networks("First Net") });
    useVersion("v1", "towns.mmdb", "asn.mmdb");
    locator = await openLocator({
      databases: { installedIn: folder.path },
      log: captured.log,
      registry,
      pollIntervalMs: POLL_MS,
    });
  });
  afterEach(async () => {
    await locator[Symbol.asyncDispose]();
    folder.remove();
  });

  it("switches to all databases of another version at once, and back, without a restart", async () => {
    addVersion("v2", { "cities.mmdb": townDatabase("Second"), "asn.mmdb": networks("Second Net") });
    const seen = new Set<string>([place().join()]);
    useVersion("v2", "cities.mmdb", "asn.mmdb");
    await until(() => seen.add(place().join()).has("Second 7,Second Net"), "the second version");
    useVersion("v1", "towns.mmdb", "asn.mmdb");
    await until(() => place().join() === "First 7,First Net", "the first version again");
    expect([...seen]).to.deep.equal(["First 7,First Net", "Second 7,Second Net"]);
    await until(async () => (await counted("current.json", "reloaded")) === 2, "both in the metrics");
  });

  it("uses no database of a version if one is damaged, and counts that", async () => {
    addVersion("v2", { "towns.mmdb": townDatabase("Second"), "asn.mmdb": Buffer.from("no database") });
    useVersion("v2", "towns.mmdb", "asn.mmdb");
    await until(async () => (await counted("current.json", "refused")) === 1, "the refusal in the metrics");
    expect(place()).to.deep.equal(["First 7", "First Net"]);
    expect(captured.lines.at(-1)).to.include({ level: "error" });
    expect(captured.lines.at(-1)?.problem).to.match(/v2.asn\.mmdb cannot be used/);
    expect(await refused()).to.deep.equal({ "current.json": 1, "towns.mmdb": 0, "asn.mmdb": 0 });
    addVersion("v3", { "cities.mmdb": townDatabase("Third") });
    useVersion("v3", "cities.mmdb");
    await until(() => place()[0] === "Third 7", "the good version");
    expect(await refused(), "what is no longer followed is not refused").to.deep.equal({
      "current.json": 0,
      "cities.mmdb": 0,
    });
  });

  it("refuses a file that was damaged in place, keeps the data, and counts it by name", async () => {
    writeFileSync(join(folder.path, "versions", "v1", "towns.mmdb"), townDatabase("First").subarray(0, 5_000));
    await until(async () => (await counted("towns.mmdb", "refused")) === 1, "the refusal in the metrics");
    expect(place()).to.deep.equal(["First 7", "First Net"]);
    expect(await refused()).to.deep.equal({ "current.json": 0, "towns.mmdb": 1, "asn.mmdb": 0 });
  });

  for (const [what, text] of [
    ["nothing that can be read", "{"],
    ["a version that is not there", '{"version":"v9","databases":["towns.mmdb"]}'],
    ["files elsewhere", '{"version":"v1","databases":["../v1/towns.mmdb"]}'],
    ["a version elsewhere", '{"version":"../v1","databases":["towns.mmdb"]}'],
  ] as const)
    it(`keeps its data when ${what} is named, and uses the next valid version`, async () => {
      use(text);
      await until(async () => (await counted("current.json", "refused")) === 1, "the refusal in the metrics");
      expect(place()).to.deep.equal(["First 7", "First Net"]);
      addVersion("v3", { "towns.mmdb": townDatabase("Third") });
      useVersion("v3", "towns.mmdb");
      await until(() => place()[0] === "Third 7", "the good version");
    });

  it("keeps its data if the file that names the version is missing", async () => {
    unlinkSync(join(folder.path, "current.json"));
    await until(async () => (await counted("current.json", "missing")) === 1, "the loss in the metrics");
    expect(place()).to.deep.equal(["First 7", "First Net"]);
    expect(await refused()).to.deep.equal({ "current.json": 1, "towns.mmdb": 0, "asn.mmdb": 0 });
  });

  it("doesn't start without data, and says how to get it", async () => {
    const empty = openLocator({
      databases: { installedIn: join(folder.path, "empty") },
      log: captured.log,
      registry: new Registry(),
    });
    const error = await empty.catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(StartError);
    expect((error as StartError).message).to.match(
      /no geo data in .*empty; run ".\/geolookup data fetch" or set GEO_DATABASES/,
    );
  });
});
