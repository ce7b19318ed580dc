import { hash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLog } from "@geolookup/shared/runtime/observability/log.ts";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { readDocumentedMetrics } from "../../../../test/harness/documented-metrics.ts";
import { tempFolder } from "../../../../test/harness/temp-folder.ts";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { followServer } from "../follow/follow-server.ts";
import type { Manifest } from "../follow/manifest.ts";
import { rollBack } from "../store/rollback.ts";
import { CITY, cityEdition, type MaxmindFixture, openMaxmind } from "../testing/maxmind-fixture.ts";
import { startGeoDataServer } from "./server.ts";

const DEADLINE_MS = 20_000;
const NODES = 20;
/** All nodes get the first data; fewer are enough to test updates. */
const FOLLOWING_NODES = 2;

describe("the geo data server", () => {
  let resources: AsyncDisposableStack;
  let maxmind: MaxmindFixture;
  let url: string;
  let opsUrl: string;
  beforeEach(async () => {
    resources = new AsyncDisposableStack();
    maxmind = await openMaxmind();
    resources.adopt(maxmind, (fixture) => fixture[Symbol.asyncDispose]());
    const config = {
      host: "127.0.0.1",
      port: 0,
      opsPort: 0,
      logLevel: "error",
      internalTls: null,
      folder: maxmind.folder,
    } as const;
    const server = resources.use(await startGeoDataServer(config, { fetches: false, pollMs: 20 }));
    url = `http://127.0.0.1:${server.port}`;
    opsUrl = `http://127.0.0.1:${server.opsPort}`;
  });
  afterEach(() => resources.disposeAsync());

  const ready = async () => (await fetch(`${opsUrl}/readyz`)).status === 200;
  const manifest = async () => (await (await fetch(`${url}/manifest.json`)).json()) as Manifest;

  it("gives data to 20 geo nodes for one download from the publisher, and updates and rollbacks to those that run", async () => {
    let nodes: { folder: string; mirror: Awaited<ReturnType<typeof followServer>> }[] = [];
    for (let node = 0; node < NODES; node++) {
      const folder = join(tempFolder(), "geo-mirror");
      const log = createLog("geo", "error");
      const mirror = await followServer({
        ...{ server: url, folder, log, tls: null, stopping: undefined },
        registry: new Registry(),
        pollMs: 50,
      });
      nodes.push({ folder, mirror: resources.use(mirror) });
    }
    expect(await ready()).to.equal(false);
    await maxmind.run();
    await Promise.all(nodes.map(({ mirror }) => mirror.available));
    const everywhere = async (version: string) => {
      const file = readFileSync(maxmind.pathOf("GeoLite2-City.mmdb"));
      await waitFor(`${version} on every node`, () => nodes.every(({ folder }) => isInUse(folder, file)), DEADLINE_MS);
    };
    await everywhere("v1");
    expect(maxmind.server.downloads()).to.equal(2);
    for (const { mirror } of nodes.slice(FOLLOWING_NODES)) await mirror[Symbol.asyncDispose]();
    nodes = nodes.slice(0, FOLLOWING_NODES);
    maxmind.editions[CITY] = cityEdition("20260628", "Secondtown");
    await maxmind.run({ refetch: "update" });
    await everywhere("v2");
    expect(maxmind.server.downloads()).to.equal(3);
    await rollBack(maxmind.folder, { to: null, takesLess: false }, () => {});
    await everywhere("v1");
    expect(maxmind.server.downloads()).to.equal(3);
  });

  it("has a manifest with an ETag, and files by hash; everything else is 404", async () => {
    expect((await fetch(`${url}/manifest.json`)).status).to.equal(503);
    await maxmind.run();
    await waitFor("the first data", ready, DEADLINE_MS);
    const response = await fetch(`${url}/manifest.json`);
    const etag = response.headers.get("etag") ?? "";
    const { version, databases } = (await response.json()) as Manifest;
    expect([version, databases.map(({ name }) => name)]).to.deep.equal([
      "v1",
      ["GeoLite2-City.mmdb", "GeoLite2-ASN.mmdb"],
    ]);
    expect((await fetch(`${url}/manifest.json`, { headers: { "if-none-match": etag } })).status).to.equal(304);
    const file = await fetch(`${url}/files/${databases[0]?.sha256}`);
    expect(Buffer.from(await file.arrayBuffer()).equals(readFileSync(maxmind.pathOf("GeoLite2-City.mmdb")))).to.equal(
      true,
    );
    for (const path of ["/", "/files/", `/files/${"0".repeat(64)}`, "/files/../current.json", "/current.json"])
      expect((await fetch(`${url}${path}`)).status, path).to.equal(404);
    expect((await fetch(`${url}/manifest.json`, { method: "POST" })).status).to.equal(405);
    const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
    expect(metrics).to.match(/geolookup_geo_data_served_info\{version="v1",set="[0-9a-f]{12}"\} 1/);
    const own = [...metrics.matchAll(/^# TYPE (geolookup_geo_data_\w+)/gm)].map(([, name]) => name);
    const documented = readDocumentedMetrics().filter(({ of }) => of.has("geo-data"));
    expect(own.sort()).to.deep.equal(
      documented
        .map(({ name }) => name)
        .filter((name) => name.startsWith("geolookup_geo_data_"))
        .sort(),
    );
  });

  it("serves reports and geofeeds too, and offers no damaged database", async () => {
    await maxmind.run();
    await waitFor("the version", async () => (await fetch(`${url}/manifest.json`)).ok, DEADLINE_MS);
    const hashes = (await manifest()).databases.map(({ sha256 }) => sha256);
    mkdirSync(join(maxmind.folder, "reports"));
    writeFileSync(join(maxmind.folder, `reports/${hash("sha256", hashes.join())}.json`), "{}");
    await waitFor(
      "the report",
      async () => (await manifest()).beside.some(({ path }) => path === "report.json"),
      DEADLINE_MS,
    );
    writeFileSync(maxmind.pathOf("GeoLite2-City.mmdb"), "damaged");
    await waitFor(
      "the damage in the metrics",
      async () => /^geolookup_geo_data_served_refused 1$/m.test(await (await fetch(`${opsUrl}/metrics`)).text()),
      DEADLINE_MS,
    );
    const { version, databases } = await manifest();
    expect(version).to.equal("v1");
    expect((await fetch(`${url}/files/${databases[0]?.sha256}`)).status, "other bytes than promised").to.equal(404);
  });
});

function isInUse(folder: string, city: Buffer): boolean {
  const current = join(folder, "current.json");
  if (!existsSync(current)) return false;
  const { version } = JSON.parse(readFileSync(current, "utf8"));
  const file = join(folder, "versions", version, "GeoLite2-City.mmdb");
  return existsSync(file) && readFileSync(file).equals(city);
}
