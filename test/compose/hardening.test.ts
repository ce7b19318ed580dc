import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { expect } from "chai";
import { filesIn } from "../privacy/at-rest.ts";
import type { Container } from "./harness/containers.ts";
import { fixtureOptions } from "./harness/fixtures.ts";
import { succeed } from "./harness/run.ts";
import { onCompose } from "./harness/suite.ts";

/** Every port that something in the cluster listens on. */
const INNER_PORTS = [4222, 6222, 6379, 8082, 8222, 9464, 50051, 50052, 50053];

describe("hardening of the cluster's containers", () => {
  const cluster = onCompose("up-ha", fixtureOptions);
  let running: Container[];
  before(async () => {
    running = (await cluster().containers()).filter((container) => container.running);
  });
  const each = async (check: (container: Container) => Promise<void> | void) => {
    expect(running.length).to.be.at.least(9);
    for (const container of running) await check(container);
  };
  const inside = async ({ id }: Container, script: string) =>
    (await succeed("docker", ["exec", id, "sh", "-c", script])).trim();

  it("run as a user other than root, without capabilities or a way to gain them", () =>
    each(async (container) => {
      const { name, raw } = container;
      expect(await inside(container, "id -u"), name).to.not.equal("0");
      const status = await inside(container, "cat /proc/1/status");
      for (const set of ["CapEff", "CapPrm", "CapBnd", "CapInh"])
        expect(status, `${name} ${set}`).to.match(new RegExp(`^${set}:\\s*0+$`, "m"));
      expect(status, name).to.match(/^NoNewPrivs:\s*1$/m);
      expect(raw.HostConfig.Privileged, name).to.equal(false);
    }));

  it("can't write to their root file system", () =>
    each(async (container) => {
      expect(container.raw.HostConfig.ReadonlyRootfs, container.name).to.equal(true);
      for (const path of ["/file", "/etc/file", "/usr/file", "/app/file"])
        expect(await inside(container, `(: > ${path}) 2>/dev/null && echo written || echo refused`)).to.equal(
          "refused",
        );
    }));

  it("have limits on memory, CPU and processes, rotate logs, and restart automatically", () =>
    each(({ name, raw: { HostConfig: host } }) => {
      // Auth has the most: docs/capacity.md.
      expect(host.Memory, name).to.be.within(1, 2_560 * 2 ** 20);
      expect(host.NanoCpus, name).to.be.within(1, 1e9);
      expect(host.PidsLimit, name).to.be.within(1, 256);
      expect(host.LogConfig, name).to.deep.include({ Type: "json-file" });
      expect(host.LogConfig.Config, name).to.have.all.keys("max-size", "max-file");
      expect(host.RestartPolicy.Name, name).to.equal("unless-stopped");
    }));

  it("have no secret in their environment, arguments or labels", async () => {
    const secrets = filesIn(cluster().secrets).flatMap(({ text }) => text.match(/[A-Za-z0-9_-]{40,}/g) ?? []);
    expect(secrets.length).to.be.at.least(4);
    await each(async (container) => {
      const seen = `${JSON.stringify(container.raw)}${await inside(container, "tr '\\0' ' ' </proc/1/cmdline")}`;
      for (const secret of secrets) expect(seen.includes(secret), container.name).to.equal(false);
    });
  });

  it("Redis has no volume and writes nothing to disk", async () => {
    const [redis] = running.filter(({ service }) => service === "redis");
    const mounts = redis?.raw.Mounts as { Type: string; RW: boolean }[];
    expect(mounts.filter(({ RW }) => RW)).to.deep.equal([]);
  });

  it("only HAProxy has a published port", () =>
    each(({ service, raw }) => {
      const published = Object.values(raw.NetworkSettings.Ports ?? {}).filter((ports) => ports !== null);
      expect(published.length, service).to.equal(service === "haproxy" ? 1 : 0);
    }));

  it("only the published port is reachable on the host's addresses", async () => {
    const own = Object.values(networkInterfaces()).flatMap((some) =>
      (some ?? []).map(({ address, family }) => ({ address, family })),
    );
    const addresses = own.filter(({ family }) => family === "IPv4").map(({ address }) => address);
    expect(addresses).to.include("127.0.0.1");
    const others = await listeningElsewhere();
    for (const address of addresses)
      for (const port of INNER_PORTS.filter((port) => !others.has(port)))
        expect(await responses(address, port), `${address}:${port}`).to.equal(false);
    expect(await responses("127.0.0.1", Number(cluster().environment.PORT))).to.equal(true);
  });

  it("containers on the inside network can't reach the internet", async () => {
    const [network] = JSON.parse(await succeed("docker", ["network", "inspect", `${cluster().project}_inside`]));
    expect(network.Internal).to.equal(true);
    const [geo, gateway, haproxy] = ["geo", "gateway", "haproxy"].map((name) =>
      running.find(({ service }) => service === name),
    );
    if (!geo || !gateway || !haproxy) throw new Error("a container is missing");
    const reaches = (address: string) =>
      inside(geo, `timeout 2 bash -c ': </dev/tcp/${address}/8080' 2>/dev/null && echo yes || echo no`);
    expect(await reaches(gateway.address), "on the network inside").to.equal("yes");
    const outside = haproxy.raw.NetworkSettings.Networks[`${cluster().project}_outside`].IPAddress;
    expect(await reaches(outside), "on the network outside").to.equal("no");
  });

  it("HAProxy reaches only the gateways, on a separate network without internet access", async () => {
    const { project } = cluster();
    const networksOf: Record<string, string[]> = {
      gateway: ["front", "inside"],
      haproxy: ["front", "outside"],
      portal: ["inside", "outside"],
    };
    for (const { service, raw } of running) {
      const networks = Object.keys(raw.NetworkSettings.Networks).map((name) => name.slice(project.length + 1));
      if (service === "geo-data-refresh") expect(networks).to.deep.equal(["outside"]);
      else expect(networks.sort(), service).to.deep.equal(networksOf[service] ?? ["inside"]);
    }
    const [network] = JSON.parse(await succeed("docker", ["network", "inspect", `${project}_front`]));
    expect(network.Internal).to.equal(true);
  });
});

/** Whether something accepts connections there. */
function responses(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1_000 });
    const end = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
    socket.once("timeout", () => end(false));
  });
}

/** Ports of this machine's own processes, which aren't the cluster's. */
async function listeningElsewhere(): Promise<Set<number>> {
  const table = await succeed("sh", ["-c", "cat /proc/net/tcp /proc/net/tcp6"]);
  const listening = table
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[3] === "0A");
  const own = listening.map((columns) => Number.parseInt(columns[1]?.split(":").at(-1) ?? "", 16));
  const docker = await succeed("docker", ["ps", "--format", "{{.Ports}}"]);
  const published = new Set([...docker.matchAll(/:(\d+)->/g)].map(([, port]) => Number(port)));
  return new Set(own.filter((port) => !published.has(port)));
}
