import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { readImageList } from "../../tools/images/image-list.ts";
import { send } from "../harness/http.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { type ComposeCluster, composeCluster } from "./harness/compose-cluster.ts";
import { fixtureOptions } from "./harness/fixtures.ts";
import { distrolessBase } from "./harness/images.ts";
import { REPOSITORY, run } from "./harness/run.ts";
import { START_TIMEOUT_MS, STOP_TIMEOUT_MS } from "./harness/suite.ts";

const SERVICES = ["gateway", "auth", "geo", "usage", "portal"];

describe("a cluster without a shell: IMAGE_TARGET=service-distroless", () => {
  let cluster: ComposeCluster;
  before("make up", async function () {
    this.timeout(START_TIMEOUT_MS);
    const images = readImageList(REPOSITORY);
    const { image } = await distrolessBase(images.get("DISTROLESS_IMAGE") ?? "", images.get("NODE_IMAGE") ?? "");
    const build = { args: { DISTROLESS_IMAGE: image } };
    const services = Object.fromEntries(SERVICES.map((service) => [service, { build }]));
    const override = join(tempFolder(), "base.json");
    writeFileSync(override, JSON.stringify({ services }));
    const { settings, overrides } = fixtureOptions({ IMAGE_TARGET: "service-distroless" });
    cluster = await composeCluster({ settings, overrides: [...overrides, override] });
    await cluster.make("up");
  });
  after(async function () {
    this.timeout(STOP_TIMEOUT_MS);
    await cluster?.destroy();
  });

  it("every service is healthy and has no shell", async () => {
    for (const service of SERVICES)
      for (const { id } of await cluster.healthy(service, 1))
        expect((await run("docker", ["exec", id, "sh", "-c", ":"])).status, service).to.not.equal(0);
  });

  it("./geolookup smoke passes", async function () {
    this.timeout(120_000);
    expect((await send(cluster.url, { path: "/v1/geo" })).status).to.equal(200);
    expect(await cluster.make("--silent", "smoke")).to.match(/ 0 failed/);
  });

  it("make up checks its settings before replacing anything, and its services restart one by one", async function () {
    this.timeout(START_TIMEOUT_MS);
    const { status, stderr } = await run("make", ["up"], { ...cluster.environment, KEYLESS: "maybe" });
    expect(status).to.not.equal(0);
    expect(stderr).to.include("gateway couldn't start");
    await cluster.make("restart", "ARGS=geo portal");
    await cluster.healthy("geo", 1);
    expect((await send(cluster.url, { path: "/v1/geo" })).status).to.equal(200);
  });
});
