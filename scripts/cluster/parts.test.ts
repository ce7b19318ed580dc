import { expect } from "chai";
import { assignPorts, planParts } from "./parts.ts";
import { readClusterSettings } from "./settings.ts";

/** Returns ports 101, 102, 103…, in this order. */
function countingPorts() {
  let last = 100;
  return async () => {
    last += 1;
    return last;
  };
}

const plan = async (environment: Record<string, string>) => {
  const settings = readClusterSettings(environment);
  return planParts(settings, await assignPorts(settings, countingPorts()));
};

describe("the plan of a cluster", () => {
  it("names every part, and starts stores before the services that need them", async () => {
    const parts = await plan({ GATEWAYS: "2", GEO: "2", PORT: "0" });
    expect(parts.map(({ name }) => name)).to.deep.equal([
      "redis",
      "nats",
      "geo-1",
      "geo-2",
      "auth-1",
      "usage-1",
      "gateway-1",
      "gateway-2",
      "portal",
    ]);
    expect(new Set(parts.map(({ folder }) => folder)).size, "a folder for each").to.equal(parts.length);
    const ports = parts.flatMap(({ port, opsPort }) => (opsPort === null ? [port] : [port, opsPort]));
    expect(new Set(ports).size, "no port twice").to.equal(ports.length);
  });

  const gatewaysAt9000 = async (sharesPort: boolean) => {
    const settings = { ...readClusterSettings({ GATEWAYS: "3", PORT: "9000" }), sharesPort };
    const parts = planParts(settings, await assignPorts(settings, countingPorts()));
    return parts.filter(({ kind }) => kind === "gateway");
  };

  it("gives all gateways PORT, where the system can share it", async () => {
    const gateways = await gatewaysAt9000(true);
    expect(gateways.map(({ port }) => port)).to.deep.equal([9000, 9000, 9000]);
    for (const { args } of gateways) expect(args[1]).to.equal("--shared-port");
  });

  it("otherwise gives the first gateway PORT and the next ones the next ports", async () => {
    const gateways = await gatewaysAt9000(false);
    expect(gateways.map(({ port }) => port)).to.deep.equal([9000, 9001, 9002]);
    for (const { args } of gateways) expect(args).to.have.length(1);
    const docsUrls = gateways.map(({ environment }) => environment.DOCS_URL);
    expect(new Set(docsUrls), "one docs host").to.deep.equal(new Set(["http://docs.localhost:9000"]));
  });

  it("gives the first gateway EDGE_PORT and the next ones the next ports, if they can't share one", async () => {
    const edgePorts = async (environment: Record<string, string>) => {
      const settings = { ...readClusterSettings({ GATEWAYS: "2", ...environment }), sharesPort: false };
      const parts = planParts(settings, await assignPorts(settings, countingPorts()));
      const gateways = parts.filter(({ kind }) => kind === "gateway");
      return gateways.map(({ environment }) => environment.EDGE_PORT);
    };
    expect(await edgePorts({ EDGE_PORT: "9100" })).to.deep.equal(["9100", "9101"]);
    expect(await edgePorts({ EDGE_PORT: "0" })).to.deep.equal(["0", "0"]);
    expect(await edgePorts({})).to.deep.equal([undefined, undefined]);
  });

  it("gives gateways the addresses of all nodes of every service, for gRPC to balance over", async () => {
    const parts = await plan({ GEO: "2", AUTH: "2", PORT: "9000" });
    const port = (name: string) => parts.find((part) => part.name === name)?.port;
    const gateway = parts.find(({ name }) => name === "gateway-1");
    expect(gateway?.environment).to.include({
      STORES: "cluster",
      PORT: "9000",
      AUTH_URL: `ipv4:127.0.0.1:${port("auth-1")},127.0.0.1:${port("auth-2")}`,
      GEO_URL: `ipv4:127.0.0.1:${port("geo-1")},127.0.0.1:${port("geo-2")}`,
      USAGE_URL: `ipv4:127.0.0.1:${port("usage-1")}`,
      NATS_URL: `nats://127.0.0.1:${port("nats")}`,
      REDIS_URL: `redis://127.0.0.1:${port("redis")}`,
    });
  });

  it("all services share the token, the hash secret and the ring", async () => {
    const services = (await plan({ GATEWAYS: "2", AUTH: "2" })).filter(({ opsPort }) => opsPort !== null);
    for (const name of ["ADMIN_TOKEN", "IP_HASH_SECRET", "SIGNING_KEYS_FILE"])
      expect(new Set(services.map(({ environment }) => environment[name])).size, name).to.equal(1);
  });

  it("callers can connect to a part on a port other than the one it listens on", async () => {
    const settings = readClusterSettings({});
    const ports = await assignPorts(settings, countingPorts());
    const parts = planParts(settings, ports, (part, from) => (from.kind === "gateway" ? part.port + 1_000 : part.port));
    const natsUrlOf = (kind: string) => parts.find((part) => part.kind === kind)?.environment.NATS_URL;
    const nats = parts.find(({ kind }) => kind === "nats")?.port ?? 0;
    expect(natsUrlOf("gateway")).to.equal(`nats://127.0.0.1:${nats + 1_000}`);
    expect(natsUrlOf("auth")).to.equal(`nats://127.0.0.1:${nats}`);
  });

  it("embedded: no stores, and usage reads the log that the gateway writes", async () => {
    const parts = await plan({ STORES: "embedded" });
    for (const { kind } of parts) expect(kind).to.not.be.oneOf(["redis", "nats"]);
    const folder = (kind: string) => parts.find((part) => part.kind === kind)?.folder;
    expect(folder("usage")).to.equal(folder("gateway"));
    const gateway = parts.find(({ kind }) => kind === "gateway");
    expect(gateway?.environment).to.include({ STORES: "embedded" }).and.to.not.have.any.keys("NATS_URL", "REDIS_URL");
  });
});
