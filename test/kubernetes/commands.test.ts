import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseKey } from "@geolookup/shared/domain/key-shape.ts";
import { expect } from "chai";
import { issueKey } from "../../scripts/keys/admin-client.ts";
import { run, succeed } from "../compose/harness/run.ts";
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

  it("./geolookup rotate signing-key under load: old keys keep working, new ones have the new ID", async () => {
    await underLoad(cluster(), keys, () => tool("rotate-signing-key"));
    const { active } = JSON.parse(readFileSync(join(cluster().secrets, "signing/signing-keys.json"), "utf8"));
    const signedBy = async () => parseKey((await cluster().issueKeys(1))[0]?.key ?? "")?.signingKeyId;
    await waitFor("a key signed with the new entry", async () => (await signedBy()) === active, 5_000);
  });

  for (const [name, file] of [
    ["admin-token", "admin-token"],
    ["ip-hash-secret", "ip-hash-secret"],
    ["redis-password", "redis-password"],
    ["nats-passwords", "nats-auth-password"],
  ] as const)
    it(`./geolookup rotate secret ${name} under load`, async () => {
      const read = () => readFileSync(join(cluster().secrets, file), "utf8");
      const before = read();
      // Restarting gateways ends connections.
      await underLoad(cluster(), keys, () => tool("rotate-secret", name), { retriesElsewhere: true });
      expect(read()).to.not.equal(before);
      expect(await tool("keys", "show", keys[0]?.keyId ?? "")).to.include("active");
      await waitFor("a new key to be issued", () => cluster().issueKeys(1), 30_000);
    });

  it("./geolookup rotate certificates --ca under load: no request fails, and certificates of the old CA are refused", async () => {
    const old = await cluster().addressOf("auth");
    await underLoad(cluster(), keys, () => tool("rotate-certificates", "--ca"));
    await cluster().issueKeys(1);
    const refusal = await issueKey(old, { kind: "secret", plan: "paid" }).then(
      () => "none",
      (error: Error) => error.message,
    );
    expect(refusal).to.match(/certificate|closed|unavailable/i);
  });

  it("certificates that cert-manager issues aren't overwritten or renewed", async () => {
    const annotation = "cert-manager.io/certificate-name";
    const version = () =>
      cluster().kubectl("get", "secret", "internal-tls-portal", "--output", "jsonpath={.metadata.resourceVersion}");
    const applySecrets = () =>
      succeed("sh", ["-euc", ". scripts/kubernetes/cluster.sh; apply_secrets"], cluster().environment);
    const file = join(cluster().secrets, "internal-tls/portal/cert.pem");
    const text = readFileSync(file, "utf8");
    const before = await version();
    await cluster().kubectl("annotate", "secret", "internal-tls-gateway", `${annotation}=gateway`);
    try {
      writeFileSync(file, `${text}\n`);
      await applySecrets();
      expect(await version()).to.equal(before);
      const { status, stderr } = await run("make", ["--silent", "rotate-certificates"], cluster().environment);
      expect(stderr).to.include("cert-manager renews the certificates in this cluster");
      expect(status).to.not.equal(0);
    } finally {
      await cluster().kubectl("annotate", "secret", "internal-tls-gateway", `${annotation}-`);
    }
    await applySecrets();
    expect(await version(), "the same without cert-manager").to.not.equal(before);
    writeFileSync(file, text);
    await applySecrets();
  });

  it("./geolookup backup, NATS wiped, ./geolookup restore, all under load: no request fails, and no count is lost", async () => {
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
