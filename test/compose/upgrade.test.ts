import { appendFileSync } from "node:fs";
import { expect } from "chai";
import { type LoadKey, startLoad } from "../harness/load.ts";
import { waitFor } from "../harness/wait-for.ts";
import { fixtureOptions } from "./harness/fixtures.ts";
import { run } from "./harness/run.ts";
import { onCompose } from "./harness/suite.ts";

/** Behind HAProxy, all keyless requests come from one address. */
const settings = { KEYLESS_LIMIT: "1000000000" };

describe("a rolling upgrade under load, with HAProxy in front of two gateways", () => {
  const cluster = onCompose("up-ha", () => fixtureOptions(settings));
  let keys: LoadKey[];
  before(async () => {
    keys = await cluster().issueKeys(4);
  });
  const idsOf = async () => new Map((await cluster().containers()).map(({ name, id }) => [name, id]));

  /** Runs a make command under load. @returns the report of the load. */
  const under = async (load: ReturnType<typeof startLoad>, ...command: string[]) => {
    await load.more(200);
    await cluster().make(...command);
    await load.more(400);
    return load.stop();
  };
  const loadOf = () => startLoad({ urls: [cluster().url], keys, clients: 12, requestsPerSecond: 200 });

  for (const [command, ...args] of [["upgrade"], ["restart"], ["scale", "gateway=3"], ["scale", "gateway=2"]] as const)
    it(`make ${[command, ...args].join(" ")}: no failed request`, async function () {
      this.timeout(600_000);
      const before = await idsOf();
      const { statuses, errors, served } = await under(loadOf(), command, ...args);
      expect({ errors, statuses: Object.keys(statuses) }).to.deep.equal({ errors: {}, statuses: ["200"] });
      expect(served).to.be.above(600);
      if (command === "scale") return;
      const after = await idsOf();
      const kept = [...before.values()].filter((id) => [...after.values()].includes(id));
      const names = [...before]
        .filter(([, id]) => kept.includes(id))
        .map(([name]) => name.replace(/^.*?-\d+-|-\d+$/g, ""));
      expect(names.sort(), "what nothing has changed for").to.include.members(["haproxy", "nats", "redis"]);
      expect(names).to.not.include.any.members(["auth", "gateway", "geo", "portal", "usage"]);
    });

  it("every request is counted", async function () {
    this.timeout(60_000);
    for (const { keyId, served, sent } of keys)
      await waitFor(
        "the counts",
        async () => {
          const used = await cluster().usedThisMonth(keyId);
          return used >= served && used <= sent;
        },
        30_000,
      );
  });

  it("a new container that doesn't become healthy is removed, and the old ones keep running", async function () {
    this.timeout(300_000);
    const before = (await cluster().healthy("geo")).map(({ id }) => id);
    const { GEO_DATABASES: _, ENV_FILE = "", ...environment } = cluster().environment;
    appendFileSync(ENV_FILE, "GEO_DATABASES=/world/no-such-file.mmdb\n");

    const load = loadOf();
    const { status, stderr } = await run("make", ["restart", "ARGS=geo"], { ...environment, ENV_FILE });
    await load.more(100);
    const { statuses, errors } = await load.stop();
    expect(status).to.not.equal(0);
    expect(stderr).to.include("no-such-file.mmdb").and.to.include("The old ones keep running");
    expect({ errors, statuses: Object.keys(statuses) }).to.deep.equal({ errors: {}, statuses: ["200"] });
    expect((await cluster().healthy("geo")).map(({ id }) => id)).to.deep.equal(before);
  });
});
