import { expect } from "chai";
import { expectError } from "../harness/expect-response.ts";
import { send } from "../harness/http.ts";
import { type LoadKey, startLoad } from "../harness/load.ts";
import { keyed } from "../harness/slots.ts";
import { waitFor } from "../harness/wait-for.ts";
import { fixtureOptions } from "./harness/fixtures.ts";
import { onCompose } from "./harness/suite.ts";

/** The suite's own network, so that this machine's address on it can be configured as a proxy. */
const NETWORK_PREFIX = "10.204";
const settings = { NETWORK_PREFIX, TRUST_PROXY: `${NETWORK_PREFIX}.253.1` };
const CLIENTS = 8;
const COUNTS_TIMEOUT_MS = 30_000;

/** The killed service, and whether callers notice. Only HAProxy has connections to them. */
const KILLED = [
  ["gateway", "unnoticed"],
  ["geo", "unnoticed"],
  ["auth", "unnoticed"],
  ["usage", "unnoticed"],
  ["portal", "unnoticed"],
  ["redis", "unnoticed"],
  ["nats", "unnoticed"],
  ["haproxy", "noticed"],
] as const;

describe("killing a container of each service under load", () => {
  const cluster = onCompose("up-ha", () => {
    const options = fixtureOptions(settings);
    // This suite tests the default trust of HAProxy and the gateways.
    return { ...options, overrides: options.overrides.filter((file) => !file.includes("trust-hop")) };
  });
  let keys: LoadKey[];
  before(async function () {
    this.timeout(300_000);
    await cluster().make("scale", "geo=2");
    keys = await cluster().issueKeys(4);
  });

  it("first, the caller is the one named by the trusted proxy in front of HAProxy", async () => {
    const { json } = await send(cluster().url, {
      ...keyed(keys[0]?.key ?? ""),
      headers: { "X-Forwarded-For": "51.7.0.9, 44.1.2.3" },
    });
    expect(json.ip).to.equal("44.1.2.3");
    if (keys[0]) keys[0].served += 1;
  });

  for (const [service, outcome] of KILLED)
    it(`${service}: ${outcome} by callers, and the engine restarts it`, async function () {
      this.timeout(180_000);
      const [victim] = await cluster().healthy(service);
      if (!victim) throw new Error(`no ${service} runs`);
      const before = (await cluster().healthy(service)).length;
      const load = startLoad({ urls: [cluster().url], keys, clients: CLIENTS, requestsPerSecond: 200 });
      try {
        await load.more(200);
        // Kill the process itself: the engine doesn't restart containers that it stopped.
        process.kill(victim.raw.State.Pid, "SIGKILL");
        await waitFor(
          `${service} to be started again`,
          async () => {
            const [again] = (await cluster().containers(service)).filter(({ id }) => id === victim.id);
            return again?.running && again.healthy && again.startedAt !== victim.startedAt;
          },
          90_000,
        );
        await load.more(400);
      } finally {
        await load.stop();
      }
      await cluster().healthy(service, before);
      const { statuses, errors, partial, slowestMs } = load.report;
      this.runnable().title += `: slowest response ${Math.round(slowestMs)} ms`;
      expect({ statuses: Object.keys(statuses), partial }).to.deep.equal({ statuses: ["200"], partial: 0 });
      if (outcome === "unnoticed") expect(errors).to.deep.equal({});
      // A request that was counted when its gateway or HAProxy was killed may have been retried, or got no response.
      const spare = service === "gateway" || service === "haproxy" ? CLIENTS : 0;
      for (const key of keys)
        await waitFor(
          "the counts",
          async () => {
            const used = await cluster().usedThisMonth(key.keyId);
            if (used < key.served || used > key.served + spare) return false;
            key.served = used;
            return true;
          },
          COUNTS_TIMEOUT_MS,
        );
    });

  it("afterwards, the cluster is healthy", async function () {
    this.timeout(120_000);
    await waitFor(
      "./geolookup doctor to find nothing",
      async () => (await cluster().tryMake("--silent", "doctor")).status === 0,
      90_000,
    );
  });

  it("without a gateway, HAProxy returns the API's own error", async function () {
    this.timeout(60_000);
    await cluster().compose("stop", "gateway");
    const docsUrl = `http://docs.localhost:${cluster().environment.PORT}`;
    const response = await send(cluster().url);
    expectError(response, "internal_error", { docsUrl });
    expect(response.headers["retry-after"]).to.equal("1");
  });
});
