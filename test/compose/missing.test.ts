import { expect } from "chai";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { prometheusClient } from "../harness/prometheus-client.ts";
import { waitFor } from "../harness/wait-for.ts";
import { fixtureOptions } from "./harness/fixtures.ts";
import { run, succeed } from "./harness/run.ts";
import { onCompose, START_TIMEOUT_MS } from "./harness/suite.ts";

/** Prometheus scrapes and evaluates every 15 s, and the alert waits for a minute. */
const FIRES_WITHIN_MS = 150_000;

describe("what an operator sees of missing containers", function () {
  this.timeout(300_000);
  let port: number;
  before(async () => {
    port = await freePort();
  });
  const cluster = onCompose("up", () => fixtureOptions({ GEO: "2", PROMETHEUS_PORT: `${port}` }));
  const kill = async (service: string) => {
    const [victim] = await cluster().healthy(service);
    await succeed("docker", ["kill", victim?.name ?? ""]);
  };
  const missing = async () =>
    (await prometheusClient(`http://127.0.0.1:${port}`).rules())
      .filter(({ name }) => name === "GeolookupInstancesMissing")
      .flatMap(({ alerts }) => alerts.filter(({ state }) => state === "firing"))
      .map(({ annotations }) => annotations.summary);
  /** As an operator in a new shell, where only the name of the .env file is set. */
  const make = (...args: string[]) => {
    const { ENV_FILE = "", BACKUPS_DIR = "" } = cluster().environment;
    return run("make", ["--silent", ...args], { ENV_FILE, BACKUPS_DIR });
  };

  it("NATS and auth killed: doctor, keys and smoke find the cluster, name both, and say what to do", async () => {
    expect((await make("doctor")).stdout).to.match(/No warnings\.\n$/);
    await kill("nats");
    await kill("auth");
    const [doctor, keys, smoke] = await Promise.all([make("doctor"), make("keys", "ARGS=list"), make("smoke")]);
    expect(doctor.stdout)
      .to.match(
        /^! auth: 0 of 1 running\. `make up` starts what is missing, and `.\/geolookup logs auth` shows its log$/m,
      )
      .and.to.match(/^! nats: 0 of 1 running\. /m)
      .and.to.match(/^gateway at .*: ready/m)
      .and.to.match(/\d warnings\.\n$/);
    for (const { status, stderr } of [keys, smoke]) {
      expect(stderr).to.include(`using Docker Compose, project ${cluster().project}\n`);
      expect(stderr).to.include("not running: auth (0 of 1), nats (0 of 1). make up starts what is missing\n");
      expect(stderr).to.include("auth isn't running at dns:///auth:50052. `make up` starts");
      expect(status).to.equal(2);
    }
  });

  it("make up starts them; one of two geo nodes killed: an alert fires, and doctor says so", async function () {
    this.timeout(START_TIMEOUT_MS);
    expect((await make("up")).status).to.equal(0);
    await cluster().healthy("auth", 1);
    await cluster().compose("--profile", "observability", "up", "--detach", "--wait", "--no-deps", "prometheus");
    await waitFor("no alert", async () => (await missing()).length === 0, FIRES_WITHIN_MS);
    await kill("geo");
    await waitFor("the alert", async () => (await missing()).join() === "Missing geo instances: 1", FIRES_WITHIN_MS);
    expect((await make("doctor")).stdout).to.match(/^! geo: 1 of 2 running\. /m);
  });

  it("make scale, ./geolookup restart, make down and make up keep the numbers, and the settings of make up", async function () {
    this.timeout(START_TIMEOUT_MS);
    expect((await make("scale", "geo=3")).status).to.equal(0);
    await cluster().healthy("geo", 3);
    await waitFor("the alert's end", async () => (await missing()).length === 0, FIRES_WITHIN_MS);
    const listens = async () =>
      (await cluster().healthy("gateway", 1))[0]?.raw.HostConfig.PortBindings["8080/tcp"] as unknown;
    const before = await listens();
    expect((await make("restart", "ARGS=gateway", "PORT=8080")).stderr).to.include(
      "these in the environment aren't those of the cluster: PORT.",
    );
    expect((await make("restart", "ARGS=gateway")).status).to.equal(0);
    expect(await listens()).to.deep.equal(before);
    await succeed("docker", ["rm", "--force", (await cluster().healthy("geo"))[0]?.name ?? ""]);
    expect((await make("restart", "ARGS=geo")).status).to.equal(0);
    await cluster().healthy("geo", 3);
    expect((await make("down")).status).to.equal(0);
    expect((await make("up")).status).to.equal(0);
    await cluster().healthy("geo", 3);
    expect(await listens()).to.deep.equal(before);
  });
});
