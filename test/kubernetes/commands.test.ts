import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseKey } from "@geolookup/shared/domain/key-shape.ts";
import { expect } from "chai";
import type { LoadKey } from "../harness/load.ts";
import { waitFor } from "../harness/wait-for.ts";
import { onKubernetes } from "./harness/suite.ts";
import { underLoad } from "./harness/under-load.ts";

describe("operator commands on Kubernetes", function () {
  this.timeout(900_000);
  const cluster = onKubernetes();
  let keys: LoadKey[];
  before(async () => {
    keys = await cluster().issueKeys(4);
  });
  const tool = (name: string, ...args: string[]) => cluster().make("--silent", name, `ARGS=${args.join(" ")}`);

  it("make rotate-signing-key under load: old keys keep working, new ones have the new ID", async () => {
    await underLoad(cluster(), keys, () => tool("rotate-signing-key"));
    const { active } = JSON.parse(readFileSync(join(cluster().secrets, "signing/signing-keys.json"), "utf8"));
    const signedBy = async () => parseKey((await cluster().issueKeys(1))[0]?.key ?? "")?.signingKeyId;
    await waitFor("a key signed with the new entry", async () => (await signedBy()) === active, 5_000);
  });

  for (const name of ["admin-token", "ip-hash-secret"])
    it(`make rotate-secret ARGS=${name} under load`, async () => {
      const read = () => readFileSync(join(cluster().secrets, name), "utf8");
      const before = read();
      // Restarting gateways ends connections.
      await underLoad(cluster(), keys, () => tool("rotate-secret", name), { retriesElsewhere: true });
      expect(read()).to.not.equal(before);
      expect(await tool("keys", "show", keys[0]?.keyId ?? "")).to.include("active");
    });

  it("make backup, NATS wiped, make restore, all under load: no request fails, and no count is lost", async () => {
    const backup = join(cluster().folder, "backups/before");
    await underLoad(cluster(), keys, async () => {
      await tool("backup", backup);
      await cluster().kubectl("scale", "statefulset/nats", "--replicas=0");
      await waitFor("NATS to end", async () => (await cluster().pods("nats")).length === 0, 180_000);
      wipeNats();
      await cluster().kubectl("scale", "statefulset/nats", "--replicas=3");
      await cluster().ready("nats", 3);
      await tool("restore", backup);
      await waitFor("a key to be issued again", () => cluster().issueKeys(1), 60_000);
    });
    expect(await tool("usage-verify")).to.include("no difference");
  });

  /** Simulates lost disks: the volumes stay but are empty. */
  function wipeNats(): void {
    const volumes = join(cluster().folder, "volumes");
    for (const volume of readdirSync(volumes).filter((name) => name.startsWith("data-nats-")))
      for (const entry of readdirSync(join(volumes, volume))) rmSync(join(volumes, volume, entry), { recursive: true });
  }
});
