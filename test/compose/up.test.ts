import { once } from "node:events";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { testAuthority } from "../harness/certificates.ts";
import { send } from "../harness/http.ts";
import { keyed } from "../harness/slots.ts";
import { waitFor } from "../harness/wait-for.ts";
import { type ComposeCluster, composeCluster } from "./harness/compose-cluster.ts";
import { run, succeed } from "./harness/run.ts";
import { START_TIMEOUT_MS, STOP_TIMEOUT_MS } from "./harness/suite.ts";

describe("make up from scratch", () => {
  let cluster: ComposeCluster;
  let key: { key: string; keyId: string };
  before(async () => {
    cluster = await composeCluster();
  });
  after(async function () {
    this.timeout(STOP_TIMEOUT_MS);
    await cluster?.destroy();
  });
  const keys = async (...args: string[]) =>
    JSON.parse(await cluster.make("--silent", "keys", `ARGS=${args.join(" ")} --json`));

  it("before it, every other command says to run it first", async () => {
    for (const target of ["ps", "scale geo=2", "upgrade", "down"]) {
      const { status, stderr } = await cluster.tryMake(...target.split(" "));
      expect(status, target).to.not.equal(0);
      expect(stderr, target).to.include("run ./geolookup secrets");
    }
    const bare = await succeed("sh", ["-c", "docker compose --env-file /dev/null config 2>&1 || true"]);
    expect(bare).to.include('run "./geolookup secrets" first');
  });

  it("starts a healthy cluster, and prints commands that work", async function () {
    this.timeout(START_TIMEOUT_MS);
    const printed = await cluster.make("up");
    for (const service of ["redis", "nats", "gateway", "auth", "geo", "usage", "portal", "geo-data-refresh"])
      await cluster.healthy(service, 1);
    const url = `${cluster.url}/v1/geo`;
    expect(printed).to.include(`curl ${url}`);
    const [, args] = /\.\/geolookup keys (.+)/.exec(printed) ?? [];
    expect(await (await fetch(url)).json()).to.deep.equal({
      country: null,
      countryName: null,
      continent: null,
      partial: true,
    });
    key = await keys(args ?? "");
    expect((await send(cluster.url, keyed(key.key))).status).to.equal(200);
  });

  it("serves the docs host on the same port, and errors link to it", async () => {
    const { json } = await send(cluster.url, { path: "/nowhere" });
    const { host, pathname } = new URL(json.error.docs);
    expect(host).to.equal(`docs.localhost:${cluster.environment.PORT}`);
    expect((await send(cluster.url, { path: pathname, host })).status).to.equal(200);
  });

  it("X-Forwarded-For is ignored", async () => {
    const { json } = await send(cluster.url, { ...keyed(key.key), headers: { "X-Forwarded-For": "81.2.69.142" } });
    expect(json.ip).to.match(/^10\.|^172\./);
    expect(json.country).to.equal(null);
  });

  it("counts reach usage", async function () {
    this.timeout(60_000);
    const used = async () => (await keys("usage", key.keyId)).total === 2;
    await waitFor("both requests to be counted", used, 30_000);
  });

  it("make down stops everything; make up restores the same keys and counts", async function () {
    this.timeout(START_TIMEOUT_MS);
    await cluster.make("down");
    expect(await cluster.containers()).to.deep.equal([]);
    const published = await succeed("docker", ["ps", "--quiet", "--filter", `publish=${cluster.environment.PORT}`]);
    expect(published).to.equal("");
    await cluster.make("up");
    expect((await send(cluster.url, keyed(key.key))).status).to.equal(200);
    await waitFor("the third request", async () => (await keys("usage", key.keyId)).total === 3, 30_000);
  });

  it("make up-ha puts HAProxy in front of gateways, and make up switches back to one gateway", async function () {
    this.timeout(START_TIMEOUT_MS);
    const running = async (service: string) => (await cluster.containers(service)).length;
    await cluster.make("up-ha");
    await cluster.make("scale", "gateway=3");
    expect([await running("gateway"), await running("haproxy")]).to.deep.equal([3, 1]);
    expect((await send(cluster.url, keyed(key.key))).status).to.equal(200);
    await cluster.make("up");
    expect([await running("gateway"), await running("haproxy")]).to.deep.equal([1, 0]);
    expect((await send(cluster.url, keyed(key.key))).status).to.equal(200);
    await waitFor("all five requests to be counted", async () => (await keys("usage", key.keyId)).total === 5, 30_000);
  });

  it("starts the images of GEOLOOKUP_IMAGE without building any, and replaces nothing if one can't be pulled", async function () {
    this.timeout(START_TIMEOUT_MS);
    // Nothing listens there.
    const image = "127.0.0.1:1/geolookup:test";
    const settings = { ...cluster.environment, GEOLOOKUP_IMAGE: image };
    const services = ["tools", "gateway", "auth", "geo", "usage", "portal"];
    const running = async () => (await cluster.containers()).filter((each) => each.running).map(({ id }) => id);
    for (const service of services)
      await succeed("docker", ["tag", `${cluster.project}-${service}`, `${image}-${service}`]);
    try {
      const { stdout, stderr } = await run("make", ["up"], settings);
      expect(stdout + stderr)
        .to.include("geolookup is running")
        .and.to.not.match(/building|exporting to image/i);
      for (const service of services.slice(1))
        for (const { raw } of await cluster.healthy(service, 1))
          expect(raw.Config.Image).to.equal(`${image}-${service}`);
      expect((await send(cluster.url, keyed(key.key))).status).to.equal(200);
      const before = await running();
      await succeed("docker", ["image", "rm", `${image}-geo`]);
      for (const target of ["up", "upgrade"]) {
        const { status, stderr } = await run("make", [target], settings);
        expect(status, target).to.not.equal(0);
        expect(stderr).to.include(`the images of GEOLOOKUP_IMAGE=${image} can't be pulled`);
      }
      expect((await running()).sort()).to.deep.equal(before.sort());
    } finally {
      await succeed("make", ["up"], { ...settings, GEOLOOKUP_IMAGE: "" });
      await run("docker", ["image", "rm", ...services.map((service) => `${image}-${service}`)]);
    }
  });

  it("replaces nothing if a service couldn't start, and says why", async function () {
    this.timeout(START_TIMEOUT_MS);
    const running = async () => (await cluster.containers()).filter((each) => each.running).map(({ id }) => id);
    const before = await running();
    for (const [settings, said] of [
      [{ KEYLESS: "maybe" }, /KEYLESS.*\n(.*\n)*up: gateway couldn't start/],
      [{ PLANS_FILE: "no-such.json" }, /no-such\.json.*\n(.*\n)*up: auth couldn't start/],
      [{ GEOFEED_FILE: "plans.json" }, /plans\.json.*\n(.*\n)*up: geo couldn't start/],
    ] as const) {
      const { status, stderr } = await run("make", ["up"], { ...cluster.environment, ...settings });
      expect(status).to.not.equal(0);
      expect(stderr).to.match(said);
    }
    expect((await running()).sort()).to.deep.equal(before.sort());
  });

  it("keeps using the current geo data when others aren't available; a folder needs no ./", async function () {
    this.timeout(START_TIMEOUT_MS);
    const settings = { ...cluster.environment, MAXMIND_ACCOUNT_ID: "42", GEOFEED_DIR: "test/startup" };
    await succeed("make", ["up"], settings);
    expect((await send(cluster.url, keyed(key.key))).status).to.equal(200);
    const said = await succeed("scripts/compose/compose.sh", ["logs", "geo-data"], settings);
    expect(said)
      .to.include("MAXMIND_LICENSE_KEY_FILE: cannot read")
      .and.to.include("the current geo data stays in use: v1");
  });

  it("serves HTTPS with TLS_CERT_FILE and TLS_KEY_FILE", async function () {
    this.timeout(START_TIMEOUT_MS);
    const { certFile, keyFile } = testAuthority().issue();
    copyFileSync(certFile, join(cluster.secrets, "tls/chain.pem"));
    copyFileSync(keyFile, join(cluster.secrets, "tls/key.pem"));
    const settings = { ...cluster.environment, TLS_CERT_FILE: "chain.pem", TLS_KEY_FILE: "key.pem" };
    const url = cluster.url.replace("http:", "https:");
    expect(await succeed("make", ["up"], settings)).to.include(`curl ${url}/v1/geo`);
    expect((await send(url, keyed(key.key))).status).to.equal(200);
    expect((await send(url, { path: "/nowhere" })).json.error.docs).to.match(/^https:/);
    expect(await succeed("make", ["--silent", "smoke"], settings)).to.match(/ 0 failed/);
  });

  it("reports that the port is in use", async function () {
    this.timeout(START_TIMEOUT_MS);
    await cluster.make("down");
    const other = createServer().listen(Number(cluster.environment.PORT), "127.0.0.1");
    await once(other, "listening");
    const { status, stderr } = await cluster.tryMake("up");
    other.close();
    expect(status).to.not.equal(0);
    expect(stderr).to.include("the port is in use by another program");
  });

  it("names a missing secret, and starts nothing", async function () {
    this.timeout(60_000);
    const file = join(cluster.secrets, "ip-hash-secret");
    const kept = readFileSync(file, "utf8");
    rmSync(file);
    const { status, stderr } = await cluster.tryMake("restart", "ARGS=portal");
    expect(status).to.not.equal(0);
    expect(stderr).to.include("there is no").and.to.include("ip-hash-secret: restore it from a backup");
    expect((await cluster.tryMake("ps")).status).to.equal(0);
    expect((await cluster.tryMake("down")).status).to.equal(0);
    writeFileSync(file, kept, { mode: 0o600 });
  });
});
