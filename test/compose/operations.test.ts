import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseKey } from "@geolookup/shared/domain/key-shape.ts";
import { expect } from "chai";
import { freshIpv4 } from "../harness/addresses.ts";
import { send } from "../harness/http.ts";
import { type LoadKey, startLoad } from "../harness/load.ts";
import { keyed } from "../harness/slots.ts";
import { waitFor } from "../harness/wait-for.ts";
import { fixtureOptions } from "./harness/fixtures.ts";
import { succeed } from "./harness/run.ts";
import { onCompose } from "./harness/suite.ts";

const COUNTS_TIMEOUT_MS = 15_000;

describe("operator commands in the Compose cluster", function () {
  this.timeout(300_000);
  const cluster = onCompose("up-ha", () => {
    const { settings, overrides } = fixtureOptions();
    // The gateways trust only HAProxy's hop.
    return { settings, overrides: overrides.filter((file) => !file.includes("trust-hop")) };
  });
  let keys: LoadKey[];
  before(async () => {
    keys = await cluster().issueKeys(4);
  });
  const tool = (name: string, ...args: string[]) => cluster().make("--silent", name, `ARGS=${args.join(" ")}`);

  /** Runs something under load. No request may fail, and every response must be counted. */
  const underLoad = async (work: () => Promise<unknown>) => {
    const load = startLoad({ urls: [cluster().url], keys, onlyKeyed: true, requestsPerSecond: 100 });
    try {
      await load.more(100);
      await work();
      await load.more(100);
    } finally {
      await load.stop();
    }
    const { statuses, errors, slowestMs } = load.report;
    const complaints = async () => {
      const lines = (await cluster().compose("logs", "--no-color", "--no-log-prefix", "gateway")).split("\n");
      return lines.filter((line) => /"level":[45]0|"status":500/.test(line)).slice(-20);
    };
    const detail = Object.keys(statuses).join() === "200" ? [] : await complaints();
    expect(
      { statuses: Object.keys(statuses), errors },
      [JSON.stringify({ statuses, slowestMs }), ...detail].join("\n"),
    ).to.deep.equal({ statuses: ["200"], errors: {} });
    await expectBooks();
  };
  const expectBooks = () =>
    waitFor(
      "every response to be counted once",
      async () => {
        for (const { keyId, served } of keys) if ((await cluster().usedThisMonth(keyId)) !== served) return false;
        return true;
      },
      COUNTS_TIMEOUT_MS,
    );

  it("./geolookup keys and ./geolookup usage show a key and its month by day", async () => {
    const [key] = keys;
    const shown = JSON.parse(await tool("keys", "show", key?.keyId ?? "", "--json"));
    expect(shown.status).to.equal("active");
    await underLoad(async () => undefined);
    const usage = JSON.parse(await tool("usage", key?.keyId ?? "", "--json"));
    expect(usage.total).to.equal(key?.served);
    expect(usage.days).to.deep.equal([{ day: new Date().toISOString().slice(0, 10), requests: key?.served }]);
    expect(await tool("usage-verify")).to.include("no difference");
  });

  it("./geolookup smoke passes every check", async () => {
    const printed = await tool("smoke", "--small-plan", "tiny");
    expect(printed).to.match(/ 0 failed, \d skipped\n$/);
    expect(printed)
      .to.match(/^pass .*quota_exceeded$/m)
      .and.to.match(/^pass .*unknown_key$/m);
  });

  it("./geolookup doctor finds every process healthy, and explains HAProxy's hop", async () => {
    const printed = await tool("doctor");
    expect(printed).to.match(/No warnings\.\n$/);
    for (const service of ["gateway", "auth", "geo", "usage", "portal"])
      expect(printed.match(new RegExp(`^${service} at .*: ready`, "gm")) ?? [], service).to.have.length(
        service === "gateway" ? 2 : 1,
      );
    const hop = `${cluster().environment.NETWORK_PREFIX}.252.10`;
    const asked = await tool("doctor", "ip", "--peer", hop, "--x-forwarded-for", "51.7.0.9");
    expect(asked)
      .to.include("The caller is 51.7.0.9\n")
      .and.to.match(/together: .*GB/);
    expect(await tool("doctor", "ip", "--peer", "51.7.0.8", "--x-forwarded-for", "51.7.0.9")).to.include(
      "The caller is 51.7.0.8\n",
    );
    expect(await cluster().compose("logs", "--no-color")).to.not.match(/51\.7\.0\.[89]/);
  });

  it("./geolookup rotate signing-key under load: old keys keep working, new ones have the new ID", async () => {
    const ring = join(cluster().secrets, "signing/signing-keys.json");
    const { uid, mode } = statSync(ring);
    await underLoad(() => cluster().make("rotate-signing-key"));
    const { active } = JSON.parse(readFileSync(ring, "utf8"));
    const signedBy = async () => parseKey((await cluster().issueKeys(1))[0]?.key ?? "")?.signingKeyId;
    await waitFor("a key signed with the new entry", async () => (await signedBy()) === active, 5_000);
    expect(statSync(ring)).to.include({ uid, mode });
  });

  for (const [name, services, files] of [
    ["admin-token", ["auth", "usage"], ["admin-token"]],
    ["ip-hash-secret", ["gateway"], ["ip-hash-secret"]],
    ["redis-password", ["gateway"], ["redis-password"]],
    ["nats-passwords", ["nats"], ["gateway", "auth", "usage", "operator"].map((user) => `nats-${user}-password`)],
  ] as const)
    it(`./geolookup rotate secret ${name} under load`, async () => {
      const read = () =>
        files.map((each) => {
          const file = join(cluster().secrets, each);
          const { uid, mode } = statSync(file);
          return { text: readFileSync(file, "utf8"), owner: [uid, mode] };
        });
      const before = read();
      await underLoad(() => tool("rotate-secret", name));
      const after = read();
      expect(after.map(({ owner }) => owner)).to.deep.equal(before.map(({ owner }) => owner));
      for (const [index, { text }] of after.entries()) expect(text).to.not.equal(before[index]?.text);
      for (const service of services) await cluster().healthy(service);
      expect(await tool("doctor")).to.match(/No warnings\.\n$/);
      expect(readdirSync(cluster().secrets).filter((each) => each.includes("next"))).to.deep.equal([]);
    });

  it("./geolookup backup, a wiped NATS, ./geolookup restore, all under load: no request fails, and every response is counted", async () => {
    const { project } = cluster();
    await underLoad(async () => {
      await tool("backup");
      const [folder = ""] = readdirSync(cluster().environment.BACKUPS_DIR ?? "");
      expect(folder).to.match(/^geolookup-\d{8}T\d{6}Z$/);
      await cluster().compose("rm", "--stop", "--force", "nats");
      await wipeVolume(`${project}_nats`);
      await cluster().compose("up", "--detach", "--no-deps", "--no-build", "--wait", "nats");
      await tool("restore", `backups/${folder}`);
      await waitFor("a key to be issued again", () => cluster().issueKeys(1), 10_000);
    });
    expect(await tool("usage-verify")).to.include("no difference");
  });

  it("with the volumes of NATS and the gateways lost, make up-ha says what to do; after ./geolookup restore, the same keys and exactly the same usage", async () => {
    const { project } = cluster();
    await tool("backup", "backups/last");
    const used = await Promise.all(keys.map(({ keyId }) => cluster().usedThisMonth(keyId)));
    await cluster().make("down");
    for (const volume of ["nats", "gateways"]) await succeed("docker", ["volume", "rm", `${project}_${volume}`]);
    const { status, stderr } = await cluster().tryMake("up-ha");
    expect(status, stderr).to.not.equal(0);
    expect(stderr).to.include("key log lost events").and.to.include("Restore a backup with `./geolookup restore`");
    await tool("restore", "backups/last");
    await cluster().make("up-ha");
    const stillUsed = () => Promise.all(keys.map(({ keyId }) => cluster().usedThisMonth(keyId)));
    await waitFor(
      "the same usage",
      async () => JSON.stringify(await stillUsed()) === JSON.stringify(used),
      COUNTS_TIMEOUT_MS,
    );
    for (const { key } of keys)
      await waitFor(
        "the key to work",
        async () =>
          (await send(cluster().url, { ...keyed(key), headers: { "X-Forwarded-For": freshIpv4() } })).status === 200,
        COUNTS_TIMEOUT_MS,
      );
    expect(await tool("usage-verify")).to.include("no difference");
  });

  /** Simulates a lost disk: the volume stays but is empty. */
  async function wipeVolume(volume: string): Promise<void> {
    const image = `${cluster().project}-tools`;
    const wipe = ["find", "/data/nats", "-mindepth", "1", "-delete"];
    await succeed("docker", ["run", "--rm", "--user", "0", "--volume", `${volume}:/data/nats`, image, ...wipe]);
  }
});
