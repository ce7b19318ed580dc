import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { runHere } from "../harness/command.ts";
import type { Deployment } from "../harness/deployment.ts";
import { applyOf, importOf } from "../harness/interrupted-commands.ts";
import { onOperatedDeployment } from "../harness/suite.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const HEADER = "kind,plan,label,origins,customer,metadata.team\n";

onOperatedDeployment("many keys at once", (operated) => {
  let service: Deployment;
  let environment: { DATA_DIR: string };
  before(async () => {
    service = operated();
    environment = { DATA_DIR: service.dataDir };
    expect((await run("customers", "add", "bulk", "--plan", "paid")).status).to.equal(0);
  });
  const run = (...args: string[]) => runHere(args, environment);
  const listed = async (search: string) => JSON.parse((await run("keys", "list", "--search", search, "--json")).stdout);

  /** Writes a file to import. */
  function fileWith(text: string, name = "new.csv"): { file: string; folder: string } {
    const folder = tempFolder();
    const file = join(folder, name);
    writeFileSync(file, text);
    return { file, folder };
  }

  it("imports 1,000 keys in seconds, and saves them for their owner only", async () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => `secret,paid,import ${index},,bulk,web\n`);
    const { file, folder } = fileWith(HEADER + lines.join(""));
    const startedAt = performance.now();
    const { status, stdout, stderr } = await run("keys", "import", file);
    expect(status, stderr).to.equal(0);
    expect(performance.now() - startedAt).to.be.below(20_000);
    const saved = join(folder, "new.csv.keys.csv");
    expect(stdout).to.equal(`Issued 1000 keys. See ${saved}: full keys can't be retrieved again.\n`);
    expect(statSync(saved).mode & 0o777).to.equal(0o600);
    expect(readdirSync(folder).sort()).to.deep.equal(["new.csv", "new.csv.keys.csv"]);
    const keys = await listed("import ");
    expect(keys).to.have.length(1_000);
    expect(keys[0]).to.deep.include({ plan: "paid", customer: "bulk", metadata: { team: "web" } });
    const [, key = ""] = readFileSync(saved, "utf8").split("\n")[1_000]?.split(",") ?? [];
    expect((await service.send({ path: `/v1/geo?key=${key}` })).status).to.equal(200);
  });

  it("changes nothing if a line is invalid, and names each", async () => {
    const text = `${HEADER}secret,paid,wrong 1,,,\nsecret,gold,wrong 2,,,\npublishable,free,wrong 3,shop.example,,\nsecret,,wrong 4,,nobody,\npublic,paid,wrong 5,,,\n${"secret,paid,wrong 6,,,\n".repeat(4)}secret,gold,wrong 7,,,\n`;
    const { file, folder } = fileWith(text);
    const { status, stdout, stderr } = await run("keys", "import", file);
    expect([status, stdout]).to.deep.equal([1, ""]);
    expect(stderr)
      .to.match(/^keys: .*new\.csv is invalid, so nothing was changed:\n {2}line 3: the plan "gold" doesn't exist/)
      .and.match(/\n {2}line 4: "shop.example" isn't a valid origin/)
      .and.match(
        /\n {2}line 5: .*nobody.*\n {2}line 6: kind must be publishable or secret\n {2}line 11: the plan "gold"/,
      )
      .and.not.include("line 2");
    expect(await listed("wrong")).to.deep.equal([]);
    expect(readdirSync(folder)).to.deep.equal(["new.csv"]);
  });

  it("never replaces the keys of another import", async () => {
    const { file, folder } = fileWith(`${HEADER}secret,paid,kept 1,,,\n`);
    expect((await run("keys", "import", file)).status).to.equal(0);
    const saved = readFileSync(join(folder, "new.csv.keys.csv"), "utf8");
    writeFileSync(file, `${HEADER}secret,paid,kept 1,,,\nsecret,paid,kept 2,,,\n`);
    const { status, stderr } = await run("keys", "import", file);
    expect(status).to.equal(1);
    expect(stderr).to.match(/new\.csv\.keys\.csv exists, and has other keys than these\. Nothing was changed/);
    expect(readFileSync(join(folder, "new.csv.keys.csv"), "utf8")).to.equal(saved);
    expect(await listed("kept")).to.have.length(1);
  });

  it("doesn't touch the keys of an apply of a file with the same name, nor the other way round", async () => {
    const { file, folder } = fileWith(`${HEADER}secret,paid,beside 1,,,\n`, "beside.csv");
    writeFileSync(join(folder, "beside.yaml"), "keys: { beside: { kind: secret, plan: paid, label: beside 2 } }\n");
    const saved = () => readFileSync(join(folder, "beside.csv.keys.csv"), "utf8");
    expect((await run("keys", "import", file)).status).to.equal(0);
    const imported = saved();
    const applied = await run("apply", join(folder, "beside.yaml"));
    expect(applied.status, applied.stderr).to.equal(0);
    expect(saved()).to.equal(imported).and.include("beside 1").and.not.include("beside 2");
    expect(readFileSync(join(folder, "beside.yaml.keys.csv"), "utf8")).to.include("beside 2");
  });

  it("finishes an import from what it wrote, also on standard output", async () => {
    const lost = await run("keys", "import", "/dev/null");
    expect([lost.status, lost.stderr]).to.deep.equal([1, "keys: /dev/null has no keys\n"]);
    const { file, folder } = fileWith(`${HEADER}secret,paid,written,,,\n`);
    await run("keys", "import", file);
    const before = await listed("written");
    const again = await run("keys", "import", join(folder, "new.csv.keys.csv"), "--json");
    expect(JSON.parse(again.stdout).keys).to.have.length(1);
    expect(await listed("written")).to.deep.equal(before);
  });

  it("refuses keys that this service didn't make", async () => {
    const forged = `geo_sk_${"a".repeat(26)}_${"b".repeat(22)}`;
    const { file } = fileWith(`key_id,key,kind,plan\nkey_aaaaaaaaaaaa,${forged},secret,paid\n`);
    const { status, stderr } = await run("keys", "import", file);
    expect(status).to.equal(1);
    expect(stderr).to.include("no prepared key").and.not.include(forged);
  });

  for (const [what, start] of [
    ["an import", importOf],
    ["an apply", applyOf],
  ] as const)
    it(`issues each key once if ${what} is killed and run again`, async () => {
      const command = start(600, what.replace("an ", "killed"), environment);
      expect(await command.kill(0)).to.equal(true);
      await command.kill(300);
      await command.finish();
    });

  describe("declared in a file", () => {
    const text = `
customers:
  shops: { plan: free, name: Shops }
keys:
  web: { kind: publishable, customer: shops, origins: ["https://Shop.example"], label: Web }
  back: { kind: secret, plan: paid, forward: true, expires: 2099-01-01, enabled: false }
`;
    it("says what it would do, does it, and then changes nothing", async () => {
      const { file, folder } = fileWith(text, "keys.yaml");
      const dryRun = await run("apply", file, "--dry-run");
      expect(dryRun.status, dryRun.stderr).to.equal(0);
      expect(dryRun.stdout)
        .to.match(/^add customer shops\n {2}name: "Shops"\n {2}plan: "free"\n/)
        .and.match(/\nissue key web\n/)
        .and.match(/nothing was changed\.\n$/);
      expect(existsSync(join(folder, "keys.yaml.keys.csv"))).to.equal(false);
      expect((await run("customers", "show", "shops")).status).to.equal(1);
      const applied = await run("apply", file, "--json");
      expect(applied.status, applied.stderr).to.equal(0);
      const { changes } = JSON.parse(applied.stdout);
      expect(changes.map(({ action, name }: { action: string; name: string }) => [action, name])).to.deep.equal([
        ["add", "shops"],
        ["issue", "web"],
        ["issue", "back"],
      ]);
      const shown = JSON.parse((await run("keys", "show", changes[1].keyId, "--json")).stdout);
      expect(shown).to.deep.include({
        ...{ kind: "publishable", plan: "free", customer: "shops", origins: ["https://shop.example"] },
        metadata: { apply: "web" },
      });
      const back = JSON.parse((await run("keys", "show", changes[2].keyId, "--json")).stdout);
      expect(back).to.include({ status: "disabled", mayForward: true, expiresAt: "2099-01-01T00:00:00.000Z" });
      const history = await run("keys", "history", changes[1].keyId, "--json");
      expect((await run("apply", file)).stdout).to.equal("Everything is as declared. Nothing was changed.\n");
      expect((await run("keys", "history", changes[1].keyId, "--json")).stdout).to.equal(history.stdout);
      const saved = readFileSync(join(folder, "keys.yaml.keys.csv"), "utf8");
      writeFileSync(
        file,
        text
          .replace("label: Web", "label: Web 2, metadata: { a: b }")
          .replace("keys:", "keys:\n  new: { kind: secret, plan: free }"),
      );
      const changed = await run("apply", file);
      expect(changed.stdout).to.include("change key web").and.include('label: "Web" to "Web 2"');
      expect(readFileSync(join(folder, "keys.yaml.keys.csv"), "utf8").split("\n")).to.have.length(
        saved.split("\n").length + 1,
      );
      expect(statSync(join(folder, "keys.yaml.keys.csv")).mode & 0o777).to.equal(0o600);
    });

    it("changes nothing if anything in it is invalid", async () => {
      const wrong = `customers:\n  late: { plan: free }\nkeys:\n  a: { kind: secret, customer: late, label: "x\\ny" }\n  b: { kind: secret, plan: gold }\n`;
      const { file, folder } = fileWith(wrong, "keys.yaml");
      const { status, stderr } = await run("apply", file);
      expect(status).to.equal(1);
      expect(stderr)
        .to.match(/\n {2}keys\.a: the label must be one line/)
        .and.match(/\n {2}keys\.b: the plan "gold"/);
      expect((await run("customers", "show", "late")).status).to.equal(1);
      expect(readdirSync(folder)).to.deep.equal(["keys.yaml"]);
    });

    it("doesn't change what can't be changed", async () => {
      const { file } = fileWith("keys: { fixed: { kind: secret, plan: free } }", "keys.yaml");
      await run("apply", file);
      writeFileSync(file, "keys: { fixed: { kind: publishable, plan: paid } }");
      const { status, stderr } = await run("apply", file);
      expect(status).to.equal(1);
      expect(stderr).to.match(/keys\.fixed\.kind: can't be changed: key_\w+ is a secret key/);
      expect((await listed("apply=fixed"))[0]).to.include({ plan: "free", version: 1 });
    });
  });
});
