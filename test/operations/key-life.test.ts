import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { runHere } from "../harness/command.ts";
import type { Deployment } from "../harness/deployment.ts";
import { onOperatedDeployment } from "../harness/suite.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

const SHOWN_MS = 15_000;

onOperatedDeployment("the life of a key, from the program", (operated) => {
  let service: Deployment;
  before(() => {
    service = operated();
  });

  const environment = () => ({ DATA_DIR: service.dataDir });
  const run = (...args: string[]) => runHere(args, environment());
  const json = async (...args: string[]) => {
    const { status, stdout, stderr } = await run(...args, "--json");
    expect(status, stderr).to.equal(0);
    return JSON.parse(stdout);
  };
  /** With standard input, which needs a process. */
  const withInput = (input: string, ...args: string[]) =>
    spawnSync(process.execPath, ["scripts/program/main.ts", ...args], {
      ...{ input, encoding: "utf8", env: { ...process.env, ...environment() } },
    });
  const statusOf = async (key: string) => (await service.send({ path: `/v1/geo?key=${key}` })).status;

  it("rotates a key: both work, and share a quota and a history, until the old one is ended", async () => {
    const old = await service.issueKey({ plan: "free", label: "Shop" });
    const successor = await json("keys", "rotate", old.keyId, "--overlap", "24h");
    expect(successor).to.include({ rotatedFrom: old.keyId, plan: "free", label: "Shop", status: "active", version: 1 });
    expect(successor.key)
      .to.match(/^geo_sk_/)
      .and.not.equal(old.key);
    expect(successor.quota).to.deep.equal({ id: old.keyId, monthlyRequests: 10_000 });
    expect([await statusOf(old.key), await statusOf(successor.key)]).to.deep.equal([200, 200]);
    const shown = await json("keys", "show", old.keyId);
    expect(shown).to.include({ status: "active", rotatedTo: successor.keyId });
    const overlapMs = Date.parse(shown.endsAt) - Date.now();
    expect(overlapMs).to.be.within(86_300_000, 86_400_000);
    const { stdout } = await run("keys", "show", old.keyId);
    expect(stdout)
      .to.match(new RegExp(`^replaced by +${successor.keyId}$`, "m"))
      .and.match(/^ends +2\d{3}-/m);
    expect((await run("keys", "rotate", old.keyId, "--overlap", "0")).status).to.equal(1);
    const last = await json("keys", "rotate", successor.keyId, "--overlap", "0");
    expect(await statusOf(successor.key)).to.equal(401);
    expect(await statusOf(last.key)).to.equal(200);
    expect(await json("keys", "show", successor.keyId)).to.include({ status: "rotated" });
    expect(
      (await json("keys", "list", "--status", "rotated")).map(({ keyId }: { keyId: string }) => keyId),
    ).to.deep.equal([successor.keyId]);
  });

  it("changes when a key expires, and disables and enables it", async () => {
    const { keyId, key } = await service.issueKey();
    expect((await json("keys", "expire", keyId, "2099-01-01")).expiresAt).to.equal("2099-01-01T00:00:00.000Z");
    const inAMonth = Date.parse((await json("keys", "expire", keyId, "30d")).expiresAt);
    expect(inAMonth - Date.now()).to.be.within(29.9 * 86_400_000, 30 * 86_400_000);
    expect(await json("keys", "expire", keyId, "never")).to.not.have.property("expiresAt");
    expect(await json("keys", "disable", keyId, "--reason", "unpaid")).to.include({
      ...{ status: "disabled", disabledReason: "unpaid" },
    });
    expect(await statusOf(key)).to.equal(401);
    expect((await run("keys", "show", keyId)).stdout).to.match(/^reason +unpaid$/m);
    expect(await json("keys", "enable", keyId)).to.include({ status: "active" });
    expect(await statusOf(key)).to.equal(200);
    await json("keys", "expire", keyId, "1s");
    const isExpired = async () => (await statusOf(key)) === 401;
    await waitFor("the key to expire", isExpired, SHOWN_MS);
    expect(await json("keys", "show", keyId)).to.include({ status: "expired" });
    expect(await json("keys", "expire", keyId, "never")).to.include({ status: "active" });
  });

  it("issues keys of a customer with metadata, lists them by it, and moves them", async () => {
    await json("customers", "add", "life", "--plan", "free");
    const options = [
      "--customer",
      "life",
      "--expires",
      "2099-01-01",
      "--metadata",
      "owner=web",
      "--metadata",
      "env=a=b",
    ];
    const { keyId, key } = await json("keys", "issue", "--kind", "secret", ...options);
    expect(await json("keys", "show", keyId)).to.deep.include({
      ...{
        plan: "free",
        customer: "life",
        metadata: { owner: "web", env: "a=b" },
        expiresAt: "2099-01-01T00:00:00.000Z",
      },
      quota: { id: "customer_life", monthlyRequests: 10_000 },
    });
    const { keyId: other } = await json(
      "keys",
      "issue",
      "--kind",
      "secret",
      "--plan",
      "free",
      "--metadata",
      "owner=web2",
    );
    const ids = async (...filter: string[]) =>
      (await json("keys", "list", ...filter)).map((each: { keyId: string }) => each.keyId);
    expect(await ids("--customer", "life")).to.deep.equal([keyId]);
    expect(await ids("--metadata", "owner=web")).to.deep.equal([keyId]);
    expect(await ids("--metadata", "env=a=b")).to.deep.equal([keyId]);
    expect(await ids("--metadata", "owner=WEB")).to.deep.equal([]);
    expect(await ids("--search", "web2")).to.deep.equal([other]);
    expect(await json("keys", "set-metadata", keyId, "a=1", "b=")).to.deep.include({ metadata: { a: "1", b: "" } });
    expect(await json("keys", "set-metadata", keyId)).to.not.have.property("metadata");
    const moved = await json("keys", "set-customer", keyId, "");
    expect(moved).to.not.have.property("customer");
    expect(moved.nextQuota).to.include({ id: keyId });
    expect(await json("keys", "set-customer", other, "life")).to.include({ customer: "life" });
    expect((await run("keys", "set-customer", other, "nobody")).status).to.equal(1);
    expect(await statusOf(key)).to.equal(200);
  });

  it("shows when a key was last used", async () => {
    const [{ keyId, key }, unused] = [await service.issueKey(), await service.issueKey()];
    expect(await statusOf(key)).to.equal(200);
    const today = new Date().toISOString().slice(0, 10);
    const isShown = async () => (await json("keys", "show", keyId)).lastUsed === today;
    await waitFor("usage to have the request", isShown, SHOWN_MS);
    expect((await json("keys", "show", unused.keyId)).lastUsed).to.equal(null);
    const listed = await json("keys", "list", "--search", keyId);
    expect(listed.map(({ lastUsed }: { lastUsed: string }) => lastUsed)).to.deep.equal([today]);
    expect((await run("keys", "show", unused.keyId)).stdout).to.match(/^last used +never$/m);
  });

  it("finds a key in standard input, and never prints it", async () => {
    const { keyId, key } = await service.issueKey({ label: "pasted" });
    const found = withInput(`Authorization: Bearer ${key}\r\n`, "keys", "find", "-", "--json");
    expect(found.status, found.stderr).to.equal(0);
    expect(JSON.parse(found.stdout)).to.have.length(1);
    expect(JSON.parse(found.stdout)[0]).to.include({ keyId, label: "pasted" }).and.not.have.property("places");
    const forged = `${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`;
    expect(JSON.parse(withInput(forged, "keys", "find", "-", "--json").stdout)).to.deep.equal([]);
    const text = withInput(key, "keys", "find", "-");
    expect(text.stdout).to.include(keyId).and.not.include(key);
  });

  it("finds keys in files and a Git history, and revokes them", async () => {
    const [inFile, inHistory] = [await service.issueKey(), await service.issueKey()];
    const folder = tempFolder();
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], {
        cwd: folder,
        stdio: "pipe",
      });
    git("init", "--quiet");
    writeFileSync(join(folder, "old.env"), `\nKEY=${inHistory.key}\n`);
    git("add", "--all");
    git("commit", "--quiet", "--message", "first");
    git("rm", "--quiet", "old.env");
    mkdirSync(join(folder, "src"));
    writeFileSync(join(folder, "src", `${inFile.key}.ts`), `//\n//\nconst KEY = "${inFile.key}";\n`);
    const found = await json("keys", "scan", folder);
    expect(found.map(({ keyId }: { keyId: string }) => keyId)).to.have.members([inFile.keyId, inHistory.keyId]);
    const placesOf = (keyId: string) => found.find((each: { keyId: string }) => each.keyId === keyId).places;
    expect(placesOf(inFile.keyId)).to.deep.equal([
      { file: join(folder, "src", `geo_sk_…${inFile.key.slice(-4)}.ts`), line: 3 },
    ]);
    expect(placesOf(inHistory.keyId)[0]).to.include({ file: join(folder, "old.env"), line: 2 });
    expect(placesOf(inHistory.keyId)[0].object).to.match(/^[0-9a-f]{40}$/);
    const { stdout, stderr } = await run("keys", "scan", folder);
    expect(stdout).to.match(/old\.env:2 \(object [0-9a-f]{12}\)/);
    for (const { key } of [inFile, inHistory]) expect(stdout + stderr).to.not.include(key);
    const unconfirmed = withInput("", "keys", "scan", folder, "--revoke");
    expect([unconfirmed.status, unconfirmed.stdout]).to.deep.equal([1, ""]);
    expect(unconfirmed.stderr).to.include("nothing was revoked: without a terminal, --revoke needs --yes");
    expect(await statusOf(inFile.key)).to.equal(200);
    const revoked = await json("keys", "scan", folder, "--revoke", "--yes");
    expect(revoked.map(({ status }: { status: string }) => status)).to.deep.equal(["revoked", "revoked"]);
    expect(await statusOf(inFile.key)).to.equal(401);
    expect((await json("keys", "show", inHistory.keyId)).revokedReason).to.match(/^leaked: found in .*old\.env:2/);
    const missing = await run("keys", "scan", join(folder, "missing"));
    expect(missing.status).to.equal(1);
    expect(missing.stderr).to.match(/^scan: .*missing wasn't read: ENOENT/);
  });

  it("issues many keys into a file, which only its owner can read", async () => {
    const file = join(tempFolder(), "keys.csv");
    const issued = await json("keys", "issue", "--kind", "secret", "--plan", "free", "--count", "20", "--csv", file);
    expect(issued.keys).to.have.length(20);
    const lines = readFileSync(file, "utf8").trim().split("\n");
    expect(lines[0]).to.match(/^key_id,key,kind,plan/);
    const keys = lines.slice(1).map((line) => line.split(","));
    expect(keys.map(([keyId]) => keyId)).to.deep.equal(issued.keys.map(({ keyId }: { keyId: string }) => keyId));
    expect(await statusOf(keys[19]?.[1] ?? "")).to.equal(200);
    const { status, stdout, stderr } = await run(
      "keys",
      "issue",
      "--kind",
      "secret",
      "--plan",
      "nothing",
      "--csv",
      "-",
    );
    expect([status, stdout]).to.deep.equal([1, ""]);
    expect(stderr).to.include('the plan "nothing" doesn\'t exist');
  });
});
