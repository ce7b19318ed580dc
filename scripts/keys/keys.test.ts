import { spawnSync } from "node:child_process";
import { expect } from "chai";
import { type KeyService, runCommand, runForJson, startKeyService } from "./testing/key-service.ts";

describe("geolookup keys", () => {
  let service: KeyService;
  before(async () => {
    service = await startKeyService();
  });
  after(() => service[Symbol.asyncDispose]());
  const run = (args: string[]) => runCommand(args, { DATA_DIR: service.dataDir });
  const json = (...args: string[]) => runForJson(service, ...args);

  it("issues a key and shows it only once", async () => {
    const issued = await json("issue", "--kind", "publishable", "--plan", "free", "--origins", "https://A.example:443");
    const { key, ...shown } = issued;
    expect(key).to.match(/^geo_pk_[0-9A-Za-z]{26,}_[0-9A-Za-z]{22}$/);
    expect(shown).to.deep.equal({
      keyId: issued.keyId,
      kind: "publishable",
      plan: "free",
      label: "",
      origins: ["https://a.example"],
      display: `geo_pk_…${key.slice(-4)}`,
      status: "active",
      createdAt: "2026-01-31T23:59:59.000Z",
      version: 1,
      quota: { id: issued.keyId, monthlyRequests: 10_000 },
    });
    expect(await json("show", issued.keyId)).to.deep.equal(shown);
    expect(await json("list")).to.deep.include(shown);
  });

  it("takes a full key in place of its ID and as a search, and never shows it", async () => {
    const { keyId, key } = await json(
      "issue",
      "--kind",
      "secret",
      "--plan",
      "free",
      "--label",
      'Costs $5, it\'s "new"',
    );
    expect(await json("show", key)).to.include({ keyId, label: 'Costs $5, it\'s "new"' });
    expect((await json("list", "--search", key)).map((each: { keyId: string }) => each.keyId)).to.deep.equal([keyId]);
    for (const args of [
      ["usage", key],
      ["history", key],
      ["revoke", key],
      ["show", `${key}x`],
    ]) {
      const { out, err } = await run(args);
      expect(`${out}${err}`).to.match(/./).and.not.include(key);
    }
    expect(await json("show", keyId)).to.include({ status: "revoked" });
  });

  it("gets labels from make as they were typed", () => {
    for (const [args, passed] of [
      [`set-label ID 'Costs $5, "new"'`, `set-label ID 'Costs $5, "new"'`],
      ["set-label ID $(HOME)", "set-label ID $(HOME)"],
    ] as const) {
      const { stdout } = spawnSync("make", ["--silent", "--dry-run", "keys", `ARGS=${args}`], { encoding: "utf8" });
      expect(stdout).to.equal(`set -u; ./geolookup keys ${passed}\n`);
    }
    const { status } = spawnSync("make", ["--silent", "keys", 'ARGS=list --search "$5"'], { encoding: "utf8" });
    expect(status, "what a shell would drop is refused").to.equal(2);
  });

  it("changes a key, revokes it and shows its history", async () => {
    const { keyId } = await json("issue", "--kind", "secret", "--plan", "free", "--label", "Shop");
    expect(await json("set-plan", keyId, "paid")).to.include({ plan: "paid", version: 2 });
    expect(await json("set-origins", keyId, "https://*.a.example,http://localhost:3000")).to.deep.include({
      origins: ["https://*.a.example", "http://localhost:3000"],
    });
    expect(await json("set-origins", keyId, "")).to.deep.include({ origins: [], version: 4 });
    expect(await json("set-label", keyId, "Läden")).to.include({ label: "Läden" });
    expect(await json("revoke", keyId, "--reason", "leaked")).to.include({
      status: "revoked",
      revokedAt: "2026-01-31T23:59:59.000Z",
      revokedReason: "leaked",
      version: 6,
    });
    const history = await json("history", keyId);
    expect(history.map((event: { type: string; data: object }) => [event.type, event.data]).slice(1)).to.deep.equal([
      ["KeyPlanChanged", { plan: "paid" }],
      ["KeyOriginsChanged", { origins: ["https://*.a.example", "http://localhost:3000"] }],
      ["KeyOriginsChanged", { origins: [] }],
      ["KeyLabelChanged", { label: "Läden" }],
      ["KeyRevoked", { reason: "leaked" }],
    ]);
    expect(history[0]).to.include({ type: "KeyIssued", keyId, version: 1, by: "admin" });
  });

  it("says if a key was already revoked, and succeeds", async () => {
    const { keyId } = await json("issue", "--kind", "secret", "--plan", "free");
    expect((await run(["revoke", keyId, "--reason", "leaked"])).out).to.match(/^key id/);
    const { status, out } = await run(["revoke", keyId, "--reason", "again"]);
    expect(status).to.equal(0);
    expect(out)
      .to.match(/^This key was already revoked\. Nothing has changed\.\n\nkey id/)
      .and.match(/^reason +leaked$/m);
    expect(await json("revoke", keyId)).to.include({ status: "revoked", revokedReason: "leaked", version: 2 });
  });

  it("shows a month's usage, this month's by default", async () => {
    const { keyId } = await json("issue", "--kind", "secret", "--plan", "free");
    const january = {
      keyId,
      month: "2026-01",
      total: 12,
      days: [
        { day: "2026-01-03", requests: 5 },
        { day: "2026-01-31", requests: 7 },
      ],
      refusals: [{ code: "rate_limited", total: 3, days: [{ day: "2026-01-04", requests: 3 }] }],
    };
    expect(await json("usage", keyId)).to.deep.equal(january);
    expect(await json("usage", keyId, "--month", "2026-01")).to.deep.equal(january);
    expect(await json("usage", keyId, "--month", "2025-12")).to.deep.equal({
      keyId,
      month: "2025-12",
      total: 0,
      days: [],
      refusals: [],
    });
  });

  it("lists all keys across pages, or those that match", async () => {
    const many = Array.from({ length: 1_100 }, (_, index) => ({ plan: "free", label: `many ${index}`, origins: [] }));
    await Promise.all(many.map((request) => service.admin.issue({ kind: "secret", ...request }, "test")));
    const { keyId } = await json("issue", "--kind", "publishable", "--plan", "paid", "--label", "Many and last");
    const labels = async (...filter: string[]) =>
      (await json("list", ...filter)).map(({ label }: { label: string }) => label);
    expect((await labels("--search", "MANY ")).sort()).to.deep.equal([
      "Many and last",
      ...many.map(({ label }) => label).sort(),
    ]);
    expect(await labels("--search", "many 1099")).to.deep.equal(["many 1099"]);
    expect(await labels("--search", "many", "--kind", "publishable")).to.deep.equal(["Many and last"]);
    expect(await labels("--search", "many", "--plan", "paid")).to.deep.equal(["Many and last"]);
    await json("revoke", keyId);
    expect(await labels("--search", keyId, "--status", "revoked")).to.deep.equal(["Many and last"]);
    expect((await run(["list", "--search", keyId, "--status", "active"])).out).to.equal("No key matches.\n");
  });

  it("prints text by default", async () => {
    const issued = await run(["issue", "--kind", "secret", "--plan", "paid", "--label", "For people"]);
    const [key = ""] = issued.out.split("\n");
    expect(key).to.match(/^geo_sk_\w+$/);
    const keyId = /key id +(key_\w+)/.exec(issued.out)?.[1] ?? "";
    await run(["revoke", keyId, "--reason", "a reason"]);
    const shown = (await run(["show", keyId])).out;
    expect(shown).to.match(/^label +For people$/m);
    expect(shown).to.match(/^origins +any$/m);
    expect(shown).to.match(/^status +revoked since 2026-01-31T23:59:59.000Z$/m);
    expect(shown).to.match(/^reason +a reason$/m);
    const listed = (await run(["list"])).out.trimEnd().split("\n");
    const column = listed[0]?.indexOf("LABEL");
    expect(listed.find((line) => line.startsWith(keyId))?.slice(column)).to.equal("For people");
    expect((await run(["history", keyId])).out).to.match(/^2 +2026-.* +admin +KeyRevoked +\{"reason":"a reason"\}$/m);
    const usage = (await run(["usage", keyId])).out.trimEnd().split("\n");
    expect(usage.map((line) => line.split(/ +/))).to.deep.equal([
      ["DAY", "REQUESTS", "rate_limited"],
      ["2026-01-03", "5", "0"],
      ["2026-01-04", "0", "3"],
      ["2026-01-31", "7", "0"],
      ["2026-01", "12", "3"],
    ]);
  });

  it("reports a failure and exits with 1", async () => {
    const { keyId } = await json("issue", "--kind", "secret", "--plan", "free");
    await json("revoke", keyId);
    const cases: [args: string[], message: RegExp][] = [
      [["issue", "--kind", "secret", "--plan", "gold"], /the plan "gold" doesn't exist; the plans are free, paid/],
      [["issue", "--kind", "secret", "--plan", "free", "--origins", "a.example,null"], /"a.example".*; "null"/],
      [["show", "key_nobody"], /key "key_nobody" doesn't exist/],
      [["usage", "key_nobody"], /key "key_nobody" doesn't exist/],
      [["set-plan", keyId, "paid"], /is revoked and can't be changed/],
      [["set-label", keyId, "a\nb"], /revoked/],
    ];
    for (const [args, message] of cases) {
      const { status, out, err } = await run([...args, "--json"]);
      expect({ status, out }, args.join(" ")).to.deep.equal({ status: 1, out: "" });
      expect(err)
        .to.match(message)
        .and.match(/^keys: [^\n]*\n$/);
    }
  });
});
