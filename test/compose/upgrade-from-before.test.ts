import { expect } from "chai";
import { writePlans } from "../fixtures/plans.ts";
import { freshIpv4 } from "../harness/addresses.ts";
import { send } from "../harness/http.ts";
import { type LoadKey, startLoad } from "../harness/load.ts";
import { waitFor } from "../harness/wait-for.ts";
import type { ComposeCluster } from "./harness/compose-cluster.ts";
import { composeCluster } from "./harness/compose-cluster.ts";
import { fixtureOptions } from "./harness/fixtures.ts";
import { STOP_TIMEOUT_MS } from "./harness/suite.ts";
import { cloneVersions, type Versions } from "./harness/versions.ts";

const COUNTS_TIMEOUT_MS = 30_000;
const SHARED_ACCOUNT = "NATS users share an account with the streams";

describe("an upgrade from the version before with data, back, and again, under load behind HAProxy", function () {
  // Each step builds the images and replaces every container.
  this.timeout(1_200_000);
  let versions: Versions;
  let cluster: ComposeCluster;
  let networks: string;
  let keys: LoadKey[];
  const revoked: LoadKey[] = [];
  before("make up-ha of the version before", async () => {
    versions = await cloneVersions();
    const { settings, overrides } = fixtureOptions({ KEYLESS_LIMIT: "1000000000" });
    // The version before doesn't know lists of fields.
    writePlans(settings.PLANS_DIR, { listed: undefined });
    cluster = await composeCluster({
      ...{ settings, overrides },
      checkout: versions.folder,
    });
    networks = cluster.environment.NETWORK_PREFIX ?? "";
    await switchTo("before");
    await cluster.make("up-ha");
    keys = await cluster.issueKeys(3);
  });
  after("remove the cluster", async function () {
    this.timeout(STOP_TIMEOUT_MS);
    await cluster?.destroy();
  });

  /** Checks out a version, with the same networks in its own settings. */
  const switchTo = async (version: "before" | "this") => {
    await versions.switchTo(version);
    const before = {
      NETWORK_PREFIX: `${networks}.254`,
      OUTSIDE_PREFIX: `${networks}.253`,
      FRONT_PREFIX: `${networks}.252`,
    };
    Object.assign(cluster.environment, version === "before" ? before : { NETWORK_PREFIX: networks });
  };
  const tool = (name: string, ...args: string[]) => cluster.make("--silent", name, `ARGS=${args.join(" ")}`);
  const responseTo = async ({ key }: LoadKey) => {
    const { status, json } = await send(cluster.url, {
      path: `/v1/geo?key=${key}`,
      headers: { "X-Forwarded-For": freshIpv4() },
    });
    return status === 200 ? 200 : json.error.code;
  };
  /** Runs something under load, in which no request may fail. Every response of all versions must be counted once. */
  const underLoad = async (work: () => Promise<unknown>) => {
    const load = startLoad({ urls: [cluster.url], keys, requestsPerSecond: 50 });
    try {
      await load.more(200);
      await work();
      await load.more(200);
    } finally {
      await load.stop();
    }
    const { statuses, errors } = load.report;
    expect({ statuses: Object.keys(statuses), errors }, JSON.stringify(statuses)).to.deep.equal({
      statuses: ["200"],
      errors: {},
    });
    for (const { keyId, served } of keys)
      await waitFor(
        "every response to be counted once",
        async () => (await cluster.usedThisMonth(keyId)) === served,
        COUNTS_TIMEOUT_MS,
      );
  };
  /** Keys can be issued and revoked, and those of all versions keep their state. */
  const expectKeys = async () => {
    const [added] = await cluster.issueKeys(1);
    if (!added) throw new Error("no key was issued");
    expect(await responseTo(added)).to.equal(200);
    added.served = added.sent = 1;
    await tool("keys", "revoke", added.keyId);
    revoked.push(added);
    for (const key of revoked)
      await waitFor("the key to be revoked", async () => (await responseTo(key)) === "revoked_key", COUNTS_TIMEOUT_MS);
    for (const key of keys) {
      expect(await responseTo(key)).to.equal(200);
      key.served += 1;
    }
  };
  /** What services that use NATS have logged, since a time. */
  const logs = (...since: string[]) => cluster.compose("logs", "--no-color", ...since, "auth", "usage", "gateway");
  const natsHasAccounts = async () => {
    const stored = ["exec", "--no-TTY", "nats", "ls", "/data/nats/accounts/jetstream/STREAMS/streams"];
    expect((await cluster.compose(...stored)).split(/\s+/).filter(Boolean)).to.have.members([
      ...["KEYS", "KEY_MARKS", "USAGE", "USAGE_MONTHS", "OPERATORS", "AUDIT", "IDEMPOTENCY"],
    ]);
    expect(await tool("doctor")).to.match(/No warnings\.\n$/);
    expect(await tool("usage-verify")).to.include("no difference");
  };
  const upgrade = async () => {
    await underLoad(async () => {
      await switchTo("this");
      await cluster.make("upgrade");
    });
    await natsHasAccounts();
    await expectKeys();
  };

  it("the version before has data", async () => {
    await underLoad(expectKeys);
  });

  it("make upgrade: no failed request, no lost count; services warn until NATS has accounts, and then use theirs", async () => {
    await upgrade();
    expect(await logs()).to.include(SHARED_ACCOUNT);
    const replaced = (await cluster.healthy("nats"))[0]?.startedAt ?? "";
    expect(await logs("--since", replaced))
      .to.not.include(SHARED_ACCOUNT)
      .and.not.include("NATS permission denied");
  });

  it("back: ./geolookup upgrade nats, then make upgrade, with what was added since", async () => {
    await underLoad(async () => {
      await switchTo("before");
      await cluster.make("upgrade", "ARGS=nats");
      await cluster.make("upgrade");
    });
    await expectKeys();
  });

  it("make upgrade again", upgrade);
});
