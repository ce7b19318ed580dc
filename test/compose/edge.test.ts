import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { type EdgePreset, HEADER_OF } from "../../services/gateway/src/edge/edge-config.ts";
import { send } from "../harness/http.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";
import { type ComposeCluster, composeCluster } from "./harness/compose-cluster.ts";
import { containersOf } from "./harness/containers.ts";
import { fixtureOptions } from "./harness/fixtures.ts";
import { succeed } from "./harness/run.ts";
import { START_TIMEOUT_MS, STOP_TIMEOUT_MS } from "./harness/suite.ts";

/** Every header of both presets, also as CGI would read it. */
const SPOOFED = Object.fromEntries(
  [...Object.values(HEADER_OF.geo), ...Object.values(HEADER_OF.cloudflare)]
    .flatMap((name) => [name, name.replaceAll("-", "_")])
    .map((name) => [name, "spoofed"]),
);

/** nginx and the sample application of a running Compose project, whose network `site` has public addresses. */
interface Site {
  project: string;
  preset: EdgePreset;
  /** Stops what serves the edge port, or starts it again. */
  stop(): Promise<unknown>;
  start(): Promise<unknown>;
}

const SETTINGS = { BIND: "127.0.0.1", NETWORK_PREFIX: "10.206" };

/** A Compose file: a free port; the fixtures know this machine's address on `site`, but not the one on `edge`. */
function siteNetwork(): string {
  const file = join(tempFolder(), "site.yml");
  writeFileSync(file, 'services: { nginx: { ports: !override ["127.0.0.1::80"] } }\n');
  appendFileSync(file, "networks: { site: { ipam: !override { config: [{ subnet: 44.9.250.0/24 }] } } }\n");
  return file;
}

function passesOnThePlace(site: () => Site) {
  /** The application's headers, when the visitor comes from this machine's address on a network. */
  const headersFrom = async (network: "site" | "edge") => {
    const [nginx] = (await containersOf(site().project)).filter(({ service }) => service === "nginx");
    const address = nginx?.raw.NetworkSettings.Networks[`${site().project}_${network}`].IPAddress;
    const response = await send(`http://${address}`, { path: "/any", headers: SPOOFED });
    expect(response.status).to.equal(200);
    return response.json as Record<string, string>;
  };
  const placeIn = (headers: Record<string, string>) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => /^(?:x[-_]geo|cf[-_])/.test(name)));
  /** A header's name in the site's preset, as Node spells it. */
  const header = (field: "country" | "city") => (HEADER_OF[site().preset][field] as string).toLowerCase();
  /** On a busy machine, the first subrequests may take more than 100 ms. */
  const placeFrom = (network: "site" | "edge") =>
    waitFor(
      "a place",
      async () => {
        const place = placeIn(await headersFrom(network));
        return header("country") in place && place;
      },
      30_000,
    );

  it("the application gets each visitor's location, and nothing that the visitor sends", async () => {
    for (const [network, country, city] of [
      ["site", "US", "Rainhaven"],
      ["edge", "XX", "-"],
    ] as const) {
      const place = await placeFrom(network);
      const names = Object.values(HEADER_OF[site().preset]).map((name) => name.toLowerCase());
      expect(Object.keys(place).sort()).to.deep.equal(names.sort());
      expect(Object.values(place)).to.not.include("spoofed");
      expect(place).to.include({ [header("country")]: country, [header("city")]: city });
    }
  });

  it("while geolookup is stopped, the site stays up without a place, even if nginx restarts; then places are back", async () => {
    await site().stop();
    expect(placeIn(await headersFrom("site"))).to.deep.equal({});
    const [nginx] = (await containersOf(site().project)).filter(({ service }) => service === "nginx");
    await succeed("docker", ["restart", nginx?.id ?? ""]);
    const restarted = await waitFor("nginx", () => headersFrom("site").catch(() => undefined), 10_000);
    expect(placeIn(restarted)).to.deep.equal({});
    await site().start();
    expect(await placeFrom("site")).to.include({ [header("country")]: "US" });
  });

  it("no visitor's address is in a log", async () => {
    for (const { id, raw } of await containersOf(site().project)) {
      const logs = await succeed("sh", ["-c", `docker logs ${id} 2>&1`]);
      expect(logs, raw.Name).to.not.match(/\b44\.9\.\d+\.1\b/);
    }
  });
}

describe("COMPOSE_PROFILES=edge: nginx and a sample application in front of the cluster", function () {
  this.timeout(START_TIMEOUT_MS);
  let cluster: ComposeCluster;
  before("make up", async () => {
    const { settings } = fixtureOptions({
      COMPOSE_PROFILES: "edge",
      EDGE_TOKEN: "a-token-of-nginx",
      EDGE_HEADERS: "cloudflare",
      ...SETTINGS,
    });
    cluster = await composeCluster({ settings, overrides: ["test/compose/fixtures.yml", siteNetwork()] });
    await cluster.make("up");
  });
  after(async function () {
    this.timeout(STOP_TIMEOUT_MS);
    await cluster?.destroy();
  });

  passesOnThePlace(() => ({
    project: cluster.project,
    preset: "cloudflare",
    stop: () => cluster.compose("stop", "gateway"),
    start: () => cluster.compose("start", "gateway"),
  }));
});

describe("infra/compose/standalone.yml", function () {
  this.timeout(START_TIMEOUT_MS);
  let project: string;
  let environment: Record<string, string>;
  const compose = (...args: string[]) =>
    succeed(
      "docker",
      [
        "compose",
        ...["--project-name", project, "--file", "infra/compose/standalone.yml"],
        ...["--file", environment.OVERRIDE ?? "", "--file", environment.SITE ?? "", ...args],
      ],
      environment,
    );
  before("start it as it says", async () => {
    expect(readFileSync("infra/compose/standalone.yml", "utf8")).to.include("up --build --detach");
    const { settings } = fixtureOptions();
    const port = await freePort();
    project = `geolookup-test-${port}`;
    const OVERRIDE = join(tempFolder(), "fixtures.json");
    const { WORLD, GEO_DATABASES, PLANS_FILE } = settings;
    const geolookup = {
      image: `geolookup:${project}`,
      environment: { GEO_DATABASES, PLANS_FILE: `/world/${PLANS_FILE}`, GEO_DATA_REFRESH: "off", LOG_LEVEL: "debug" },
      volumes: [`${WORLD}:/world:ro`],
    };
    writeFileSync(OVERRIDE, JSON.stringify({ services: { geolookup } }));
    environment = { OVERRIDE, SITE: siteNetwork(), PORT: `${port}`, ...SETTINGS };
    await compose("up", "--build", "--detach", "--wait");
  });
  after(async function () {
    this.timeout(STOP_TIMEOUT_MS);
    if (project) await compose("down", "--volumes", "--rmi", "local");
    await succeed("docker", ["image", "rm", "--force", `geolookup:${project}`]);
  });

  passesOnThePlace(() => ({
    project,
    preset: "geo",
    stop: () => compose("stop", "geolookup"),
    start: () => compose("start", "geolookup"),
  }));
});
