import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { send } from "../harness/http.ts";
import { startLoad } from "../harness/load.ts";
import { keyed } from "../harness/slots.ts";
import { capturePackets } from "./harness/capture.ts";
import type { ComposeCluster } from "./harness/compose-cluster.ts";
import { fixtureOptions } from "./harness/fixtures.ts";
import { onCompose, START_TIMEOUT_MS } from "./harness/suite.ts";
import { addressNeedles, type Needle, occurs, secretNeedles } from "./harness/wire-encodings.ts";

/** The suite's own network, so that this machine's address on it can be configured as a proxy. */
const NETWORK_PREFIX = "10.202";
const ADDRESSES = ["44.7.201.93", "44.11.178.214", "2a0e:1234:7b1:5c2d:93fe:41a8:6d07:b2c9"];
const REQUESTS = 300;
const PASSWORDS = [
  "redis-password",
  ...["gateway", "auth", "usage", "operator"].map((user) => `nats-${user}-password`),
];

describe("packets between the containers, with HAProxy in front", function () {
  this.timeout(START_TIMEOUT_MS);
  const cluster = onCompose("up-ha", () => {
    const options = fixtureOptions({
      NETWORK_PREFIX,
      TRUST_PROXY: `${NETWORK_PREFIX}.253.1`,
      KEYLESS_LIMIT: "1000000",
    });
    return { ...options, overrides: options.overrides.filter((file) => !file.includes("trust-hop")) };
  });

  /** Load with and without keys, administration, and new connections to both stores. Returns what must stay secret. */
  const useEverything = async ({ url, make, compose, healthy, issueKeys, secrets }: ComposeCluster) => {
    const keys = await issueKeys(2);
    const callers = ADDRESSES.flatMap((from) =>
      [...keys.map(({ key }) => keyed(key)), {}].map((sent) => ({ from, sent })),
    );
    const sendAll = async () => {
      for (const { from, sent } of callers) {
        const { status } = await send(url, { ...sent, headers: { "X-Forwarded-For": from } });
        expect(status).to.equal(200);
      }
    };
    const load = startLoad({ urls: [url], keys, requestsPerSecond: 100 });
    for (let count = 0; count < REQUESTS; count += callers.length) await sendAll();
    await make("keys", "ARGS=list");
    await make("usage", `ARGS=${keys[0]?.keyId}`);
    await make("doctor");
    await make("backup");
    // Services send their passwords when they connect.
    await compose("restart", "redis", "nats");
    for (const service of ["redis", "nats", "gateway", "auth", "usage"]) await healthy(service);
    await load.more(REQUESTS);
    await sendAll();
    const { statuses } = await load.stop();
    expect(Object.keys(statuses)).to.deep.equal(["200"]);
    const stored = ["admin-token", ...PASSWORDS].map((name) => [
      name,
      readFileSync(join(secrets, name), "utf8").trim(),
    ]);
    const all = [...stored, ...keys.map(({ key }, index) => [`key ${index}`, key])] as [string, string][];
    const needles = await Promise.all(all.map(async ([name, value]) => [name, await secretNeedles(value)] as const));
    return [...needles, ...ADDRESSES.map((address) => [address, addressNeedles(address)] as const)];
  };
  /** The names of what is in the packets, in any encoding. */
  const findIn = async (network: string) => {
    let wanted: (readonly [string, Needle[]])[] = [];
    const packets = await capturePackets(cluster(), network, async () => {
      wanted = await useEverything(cluster());
    });
    const found = wanted.filter(([, needles]) => needles.some((needle) => occurs(needle, packets)));
    return { bytes: packets.length, wanted: wanted.map(([name]) => name), found: found.map(([name]) => name) };
  };

  it("hold no caller's address, key, admin token or store password in any encoding", async function () {
    const { bytes, wanted, found } = await findIn("inside");
    this.runnable().title += `: ${wanted.length} values in ${(bytes / 1e6).toFixed(1)} MB`;
    expect(bytes).to.be.above(1_000_000);
    expect(found).to.deep.equal([]);
  });

  it("the search finds each of them with INTERNAL_TLS=off, which make up-ha applies", async () => {
    Object.assign(cluster().environment, { INTERNAL_TLS: "off" });
    await cluster().make("up-ha");
    const { wanted, found } = await findIn("inside");
    expect(wanted).to.have.length(ADDRESSES.length + PASSWORDS.length + 3);
    expect(found).to.deep.equal(wanted);
  });

  it("the search finds addresses as bytes", () => {
    for (const address of ADDRESSES) {
      const bytes = address.includes(":")
        ? Buffer.from(
            address.replaceAll(/\w+:?/g, (group) => group.replace(":", "").padStart(4, "0")),
            "hex",
          )
        : Buffer.from(address.split(".").map(Number));
      const text = Buffer.concat([Buffer.from("x"), bytes, Buffer.from("y"), bytes, Buffer.from("z"), bytes]);
      expect(
        addressNeedles(address).some((needle) => occurs(needle, text)),
        address,
      ).to.equal(true);
    }
  });

  it("the public hop has separate networks", async () => {
    const { environment } = cluster();
    for (const { service, raw } of await cluster().containers()) {
      const addresses = Object.values(raw.NetworkSettings.Networks as Record<string, { IPAddress: string }>);
      const isInside = addresses.some(({ IPAddress }) => IPAddress.startsWith(`${environment.NETWORK_PREFIX}.254.`));
      if (service === "haproxy") expect(isInside).to.equal(false);
    }
  });
});
