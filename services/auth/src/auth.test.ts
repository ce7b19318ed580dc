import { randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { rejection, startError } from "../../../test/harness/rejection.ts";
import { type OpenedAuth, openAuth } from "./auth.ts";
import type { IssueRequest } from "./keys/key.ts";
import type { KeyAdmin } from "./keys/key-admin.ts";
import { startNewKeyLog } from "./keys/mark/mark-file.ts";
import { withDropped } from "./signing/ring-changes.ts";
import { newRingText } from "./signing/signing-ring.ts";

const REQUEST: IssueRequest = { kind: "secret", plan: "free", label: "Shop", origins: [] };

const allKeys = async (admin: KeyAdmin) => (await admin.list({ after: null, pageSize: 1_000 })).keys;

describe("auth on embedded stores", () => {
  let dataDir: string;
  let plansFile: string;
  let auth: OpenedAuth | undefined;
  let clockMs: number;

  const open = async (isOnlyProcess = true) => {
    auth = await openAuth({
      isOnlyProcess,
      dataDir,
      plansFile,
      keyUsage: null,
      log: pino({ level: "silent" }),
      registry: new Registry(),
      clock: () => clockMs,
    });
    return auth;
  };
  const close = async () => {
    await auth?.[Symbol.asyncDispose]();
    auth = undefined;
  };
  const outcome = (key: string, origin: string | null = null) =>
    auth?.authorizer.authorize({ key, origin, referer: null }).outcome;

  beforeEach(() => {
    dataDir = join(mkdtempSync(join(tmpdir(), "auth-")), "data");
    plansFile = join(dataDir, "..", "plans.json");
    writeFileSync(
      plansFile,
      '{"free":{"fields":"free","monthlyRequests":5},"paid":{"fields":"paid","monthlyRequests":50}}',
    );
    clockMs = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
  });
  afterEach(async () => {
    await close();
    rmSync(join(dataDir, ".."), { recursive: true });
  });

  it("issues a key that works at once, and shows it only once", async () => {
    const { admin } = await open();
    const { secret, key } = await admin.issue({ ...REQUEST, origins: ["https://Example.com"] }, "demo");
    expect(key).to.include({
      status: "active",
      kind: "secret",
      plan: "free",
      label: "Shop",
      version: 1,
      createdAt: "2026-01-02T03:04:05.678Z",
      display: `geo_sk_…${secret.slice(-4)}`,
    });
    expect(key.keyId).to.match(/^key_[0-9A-Za-z]{12}$/);
    expect(outcome(secret)).to.equal("granted");
    expect(outcome(secret, "https://example.com")).to.equal("granted");
    expect(outcome(secret, "https://evil.example")).to.equal("origin_not_allowed");
    expect(JSON.stringify([await allKeys(admin), await admin.history(key.keyId)])).not.to.include(secret);
  });

  it("leaves finishing an upgrade to a person if gateways run as other processes, unless the deployment is new", async () => {
    const { admin } = await open();
    const { key } = await admin.issue(REQUEST, "test");
    const disable = (admin: OpenedAuth["admin"]) => admin.change(key.keyId, { type: "DisableKey", reason: "" }, "test");
    await close();
    expect(await rejection(disable((await open(false)).admin))).to.include({ code: "precondition" });
    await close();
    expect(await disable((await open()).admin)).to.have.property("disabledAt");
    await close();
    dataDir += "-new";
    const separate = await open(false);
    const added = await separate.admin.issue({ ...REQUEST, expiresAt: "2999-01-01" }, "test");
    expect(added.key.expiresAt).to.equal("2999-01-01T00:00:00.000Z");
  });

  it("finds a full key by its hash wherever an ID or a search is expected, and never repeats it", async () => {
    const { admin } = await open();
    const { secret, key } = await admin.issue({ kind: "secret", plan: "free", label: "pasted", origins: [] }, "test");
    const { keyId } = key;
    for (const pasted of [secret, ` ${secret}\n`]) {
      expect(admin.get(pasted)).to.include({ keyId });
      expect((await admin.list({ search: pasted, after: null, pageSize: 10 })).keys).to.deep.equal([admin.get(keyId)]);
    }
    expect(await admin.change(secret, { type: "ChangeLabel", label: "found" }, "test")).to.include({
      keyId,
      label: "found",
    });
    expect((await admin.history(secret)).map((event) => event.keyId)).to.deep.equal([keyId, keyId]);
    const others = { search: secret, after: null, pageSize: 10 };
    expect((await admin.list({ ...others, kind: "publishable" })).keys).to.deep.equal([]);
    expect(await admin.change(secret, { type: "RevokeKey", reason: "leaked" }, "test")).to.include({
      keyId,
      status: "revoked",
    });
    const unknown = `${secret.slice(0, -1)}${secret.endsWith("a") ? "b" : "a"}`;
    expect((await admin.list({ ...others, search: unknown })).keys).to.deep.equal([]);
    for (const pasted of [unknown, `${unknown}"`, unknown.slice(0, 40)]) {
      const message = await admin
        .change(pasted, { type: "RevokeKey", reason: "" }, "test")
        .catch((error: Error) => error.message);
      expect(message).to.match(/^key geo_sk_….{4} doesn't exist$/);
    }
  });

  it("doesn't store keys", async () => {
    const { admin } = await open();
    const { secret } = await admin.issue(REQUEST, "admin");
    await close();
    const random = secret.slice("geo_sk_".length, -23);
    for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) {
        const bytes = readFileSync(join(entry.parentPath, entry.name));
        for (const part of [secret, random, secret.slice(-22)])
          expect(bytes.includes(part), entry.name).to.equal(false);
      }
  });

  it("keeps keys and their history across a restart", async () => {
    const before = await open();
    const a = await before.admin.issue(REQUEST, "admin");
    const b = await before.admin.issue({ ...REQUEST, kind: "publishable" }, "demo");
    await before.admin.change(a.key.keyId, { type: "ChangePlan", plan: "paid" }, "admin");
    clockMs += 1_000;
    await before.admin.change(b.key.keyId, { type: "RevokeKey", reason: "leaked" }, "admin");
    const listed = await allKeys(before.admin);
    await close();
    const { admin } = await open();
    expect(await allKeys(admin)).to.deep.equal(listed);
    expect([outcome(a.secret), outcome(b.secret)]).to.deep.equal(["granted", "revoked_key"]);
    expect(admin.get(b.key.keyId)).to.include({ revokedAt: "2026-01-02T03:04:06.678Z", revokedReason: "leaked" });
    const history = await admin.history(a.key.keyId);
    expect(history.map(({ type, version, by }) => [type, version, by])).to.deep.equal([
      ["KeyIssued", 1, "admin"],
      ["KeyPlanChanged", 2, "admin"],
    ]);
    expect(history[1]?.data).to.deep.equal({ plan: "paid" });
  });

  it("applies only one of several concurrent changes that expect the same version", async () => {
    const { admin } = await open();
    const { keyId } = (await admin.issue(REQUEST, "admin")).key;
    const outcomes = await Promise.allSettled([
      admin.change(keyId, { type: "ChangeLabel", label: "a" }, "admin", 1),
      admin.change(keyId, { type: "ChangePlan", plan: "paid" }, "admin", 1),
      admin.change(keyId, { type: "ChangeOrigins", origins: ["https://a.example"] }, "admin", 1),
    ]);
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect(refused.map(({ code }) => code)).to.deep.equal(["conflict", "conflict"]);
    expect(refused[0].message).to.match(/was changed: expected version 1, found 2/);
    expect(await admin.history(keyId)).to.have.length(2);
    expect(await admin.change(keyId, { type: "ChangeLabel", label: "b" }, "admin", 2)).to.include({
      label: "b",
      version: 3,
    });
    expect(await admin.change(keyId, { type: "RevokeKey", reason: "leaked" }, "admin")).to.include({
      status: "revoked",
    });
    const late = await rejection(admin.change(keyId, { type: "ChangeLabel", label: "c" }, "admin", 2));
    expect(late, "a revoked key").to.include({ code: "precondition" });
  });

  it("revokes permanently, even with concurrent changes", async () => {
    const { admin } = await open();
    const { secret, key } = await admin.issue(REQUEST, "admin");
    await Promise.allSettled([
      admin.change(key.keyId, { type: "ChangeLabel", label: "a" }, "admin"),
      admin.change(key.keyId, { type: "RevokeKey", reason: "first" }, "admin"),
      admin.change(key.keyId, { type: "ChangePlan", plan: "paid" }, "admin"),
      admin.change(key.keyId, { type: "RevokeKey", reason: "second" }, "admin"),
    ]);
    expect(outcome(secret)).to.equal("revoked_key");
    const again = await admin.change(key.keyId, { type: "RevokeKey", reason: "third" }, "admin");
    expect(again.revokedReason).to.be.oneOf(["first", "second"]);
    const refusal = await rejection(admin.change(key.keyId, { type: "ChangeLabel", label: "x" }, "admin"));
    expect(refusal).to.include({ code: "precondition" });
    expect((await admin.history(key.keyId)).at(-1)?.type).to.equal("KeyRevoked");
  });

  describe("with a key log that lost events", () => {
    const KEY_ID = "key_0123456789Ab";
    const write = (file: string, text: string) => {
      mkdirSync(join(dataDir, file, ".."), { recursive: true });
      writeFileSync(join(dataDir, file), text);
    };
    const linesOf = (file: string) => readFileSync(file, "utf8").split("\n");
    const remove = (file: string) => rmSync(join(dataDir, file), { recursive: true });
    const path = () => join(dataDir, "keys", "events.jsonl");
    /** Deletes what only this version writes. */
    const withoutMark = () => remove("key-log-mark.json");
    const namesKey = (file: string, text: string) => () => {
      withoutMark();
      remove("keys");
      write(file, text);
    };

    const cases: [what: string, lose: () => void, named: (string | RegExp)[]][] = [
      ["emptied", () => write("keys/events.jsonl", ""), [/it is empty/, "key-log-mark.json says that it had 2 events"]],
      ["removed", () => remove("keys"), [/it is missing/, "key-log-mark.json says that it had 2 events"]],
      ["without events", () => write("keys/events.jsonl", `${linesOf(path())[0]}\n`), [/it is empty/]],
      ["shorter", () => write("keys/events.jsonl", `${linesOf(path()).slice(0, 2).join("\n")}\n`), [/it has 1 event,/]],
      [
        "another one, as long",
        () => cpSync(`${dataDir}-other/keys`, join(dataDir, "keys"), { recursive: true }),
        [/2 events/],
      ],
      [
        "emptied, beside a demo key",
        namesKey("demo-key.json", `{"keyId":"${KEY_ID}"}`),
        ["demo-key.json names the key", KEY_ID],
      ],
      [
        "emptied, beside counts",
        namesKey("usage-log/usage.jsonl", `{"counts":{"${KEY_ID}":1}}`),
        ["usage.jsonl names the key"],
      ],
      [
        "emptied, beside a journal",
        namesKey("journals-2/a.1.journal", `2026-01-02 ${KEY_ID} 1\n`),
        ["journal names the key"],
      ],
    ];
    for (const [what, lose, named] of cases)
      it(`doesn't start if it is ${what}, and changes nothing`, async () => {
        const ownFolder = dataDir;
        dataDir = `${ownFolder}-other`;
        for (let i = 0; i < 2; i++) await (await open()).admin.issue(REQUEST, "admin").then(close);
        dataDir = ownFolder;
        const { secret } = await (await open()).admin.issue(REQUEST, "admin");
        await auth?.admin.issue(REQUEST, "admin");
        await close();
        cpSync(dataDir, `${dataDir}-whole`, { recursive: true });
        lose();
        const filesBefore = readdirSync(dataDir, { recursive: true }).sort();

        const message = await startError(open);
        for (const text of [path(), "restore", "./geolookup keys log --new", ...named])
          expect(message).to.match(text instanceof RegExp ? text : new RegExp(text, "i"));
        expect(readdirSync(dataDir, { recursive: true }).sort()).to.deep.equal(filesBefore);

        rmSync(dataDir, { recursive: true });
        cpSync(`${dataDir}-whole`, dataDir, { recursive: true });
        await open();
        expect(outcome(secret), "restored").to.equal("granted");
        await close();

        lose();
        await startNewKeyLog(dataDir);
        expect(await allKeys((await open()).admin)).to.deep.equal([]);
        expect(outcome(secret), "in a new log").to.equal("unknown_key");
      });

    it("starts for the first time, even if a start was killed before it issued a key", async () => {
      for (const text of [null, "", '{"format":"geolookup k', '{"format":"geolookup key log","version":1}\n']) {
        rmSync(dataDir, { recursive: true, force: true });
        if (text !== null) write("keys/events.jsonl", text);
        write("signing-keys.json", newRingText(randomBytes));
        await open();
        await close();
      }
    });

    it("keeps a running service's folder from getting a new log", async () => {
      await open();
      expect(await startError(() => startNewKeyLog(dataDir))).to.match(/in use by another/);
    });
  });

  it("doesn't start if the signing keys lack one that signed a key, unless it was dropped on purpose", async () => {
    const ring = join(dataDir, "signing-keys.json");
    const other = newRingText(randomBytes);
    const { secret } = await (await open()).admin.issue(REQUEST, "admin");
    await close();
    const signingKeyId = secret.slice("geo_sk_".length, "geo_sk_".length + 4);
    const before = readFileSync(ring, "utf8");
    // As data of earlier versions: which entry signed a key is seen when the key is used.
    rmSync(join(dataDir, "key-log-mark.json"));
    await open();
    expect(outcome(secret)).to.equal("granted");
    await close();

    writeFileSync(ring, other);
    expect(await startError(open))
      .to.include(`${ring} can't be used: it lacks ${signingKeyId}`)
      .and.include(`--drop ${signingKeyId}`);
    writeFileSync(ring, before);
    await open();
    expect(outcome(secret)).to.equal("granted");
    await close();
    writeFileSync(ring, withDropped(other, signingKeyId, randomBytes));
    await open();
    expect(outcome(secret)).to.equal("bad_signature");
  });

  it("doesn't start if keys were issued and the signing keys are missing, and doesn't create new ones", async () => {
    await (await open()).admin.issue(REQUEST, "admin");
    await close();
    const path = join(dataDir, "signing-keys.json");
    rmSync(path);
    expect(await startError(open)).to.include(path);
    expect(existsSync(path)).to.equal(false);
  });
});
