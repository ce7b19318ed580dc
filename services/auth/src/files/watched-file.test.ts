import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { startError } from "../../../../test/harness/rejection.ts";
import { createKeyRegistry } from "../keys/key-registry.ts";
import { type AuthMetrics, createAuthMetrics } from "../metrics.ts";
import { readPlans } from "../plans/plans-file.ts";
import { openSigningKeys } from "../signing/signing-keys.ts";
import { newRingText, parseRing } from "../signing/signing-ring.ts";
import { openWatchedFile, type WatchedFile } from "./watched-file.ts";

let folder: string;
let path: string;
let lines: string[];
let metrics: AuthMetrics;
let opened: WatchedFile<unknown>[];
/** Hooks of a describe: at the top of a file they would be every test's. */
function withAFolder() {
  beforeEach(() => {
    // The files are polled by the tests.
    mock.timers.enable({ apis: ["setTimeout"] });
    folder = mkdtempSync(join(tmpdir(), "auth-files-"));
    path = join(folder, "file.json");
    lines = [];
    metrics = createAuthMetrics(new Registry(), createKeyRegistry());
    opened = [];
  });
  afterEach(async () => {
    for (const file of opened) await file[Symbol.asyncDispose]();
    mock.timers.reset();
    rmSync(folder, { recursive: true });
  });
}

const surroundings = () => ({
  log: pino({}, { write: (line: string) => void lines.push(line) }),
  metrics,
});
async function poll() {
  for (const file of opened) await file.poll();
}
/** A change is used when two polls found the file the same. */
async function pollTwice() {
  await poll();
  await poll();
}
async function refusedGauge() {
  return (await metrics.fileRefused.get()).values[0]?.value;
}

describe("the plans file", () => {
  withAFolder();
  const FREE = '"free":{"fields":"free","monthlyRequests":10}';
  const PAID = '"paid":{"fields":"paid","monthlyRequests":20}';
  let inUse: Map<string, number>;
  const open = async () => {
    const parse = (text: string) => readPlans(text, inUse);
    const file = await openWatchedFile({ path, name: "plans", parse, ...surroundings() });
    opened.push(file);
    return file;
  };
  beforeEach(() => {
    inUse = new Map();
  });

  it("is loaded at start and reloaded when it changes", async () => {
    writeFileSync(path, `{${FREE}}`);
    const plans = await open();
    expect([...plans.current().keys()]).to.deep.equal(["free"]);
    writeFileSync(path, `{${FREE},${PAID}}`);
    await pollTwice();
    expect([...plans.current().keys()]).to.deep.equal(["free", "paid"]);
  });

  it("is not used while it is being written, even if it is valid", async () => {
    writeFileSync(path, `{${FREE},${PAID}}`);
    const plans = await open();
    for (const half of [`{${FREE}}`, `{${PAID}}`, `{${FREE}}  `]) {
      writeFileSync(path, half);
      await poll();
      expect(plans.current().size).to.equal(2);
    }
    await poll();
    expect([...plans.current().keys()]).to.deep.equal(["free"]);
    expect(lines).to.have.length(1);
  });

  it("stops the start if it is missing, invalid or lacks a plan in use", async () => {
    expect(await startError(open)).to.equal(`the plans file ${path} can't be used: it doesn't exist`);
    writeFileSync(path, `{"free":{"fields":"all","monthlyRequests":-1}}`);
    expect(await startError(open)).to.match(/fields.*;.*monthlyRequests/);
    writeFileSync(path, `{${PAID}}`);
    inUse = new Map([
      ["free", 2],
      ["old", 1],
    ]);
    expect(await startError(open)).to.match(/lacks plans that keys or customers use: free \(2 keys\), old \(1 key\)/);
  });

  for (const [what, change, reason] of [
    ["garbage", () => writeFileSync(path, "{"), /not JSON/],
    ["without a plan in use", () => writeFileSync(path, `{${PAID}}`), /lacks plans/],
    ["gone", () => rmSync(path), /^it doesn't exist$/],
    ["empty", () => writeFileSync(path, ""), /not JSON/],
  ] as const)
    it(`keeps the old content when the file is ${what}, logs that once and recovers`, async () => {
      inUse = new Map([["free", 1]]);
      writeFileSync(path, `{${FREE}}`);
      const plans = await open();
      const before = plans.current();
      change();
      await pollTwice();
      await pollTwice();
      expect(plans.current()).to.equal(before);
      expect(lines).to.have.length(1);
      expect(JSON.parse(lines[0] ?? ""))
        .to.include({ level: 50 })
        .and.property("reason")
        .match(reason);
      expect(await refusedGauge()).to.equal(1);
      writeFileSync(path, `{${FREE},${PAID}}`);
      await pollTwice();
      expect(plans.current().size).to.equal(2);
      expect(await refusedGauge()).to.equal(0);
    });

  it("takes effect once no key uses its missing plan", async () => {
    inUse = new Map([["free", 1]]);
    writeFileSync(path, `{${FREE},${PAID}}`);
    const plans = await open();
    writeFileSync(path, `{${PAID}}`);
    await pollTwice();
    expect(plans.current().size).to.equal(2);
    inUse = new Map();
    await pollTwice();
    expect(plans.current().size).to.equal(1);
  });
});

describe("the signing-keys file", () => {
  withAFolder();
  const open = async (keysWereIssued = false, required = new Set<string>()) => {
    const file = await openSigningKeys({
      path,
      whenMissing: keysWereIssued ? "refuse" : "create",
      required,
      randomBytes,
      ...surroundings(),
    });
    opened.push(file);
    return file;
  };

  it("is created if missing, readable only by its owner, and used by the next start", async () => {
    const made = (await open()).current();
    expect(statSync(path).mode & 0o777).to.equal(0o600);
    expect(readdirSync(folder)).to.deep.equal(["file.json"]);
    expect((await open(true)).current()).to.deep.equal(made);
  });

  it("isn't replaced if it is missing and keys were issued", async () => {
    expect(await startError(() => open(true)))
      .to.include(path)
      .and.match(/Restore/);
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it("stops the start if it is garbage, and isn't changed", async () => {
    for (const garbage of ["", "garbage", "{}", "\0\0"]) {
      writeFileSync(path, garbage);
      expect(await startError(() => open())).to.include(path);
      expect(readFileSync(path, "utf8")).to.equal(garbage);
    }
  });

  it("stops the start if it can't be created", async () => {
    path = join(folder, "missing", "file.json");
    expect(await startError(() => open()))
      .to.include(path)
      .and.match(/ENOENT/);
  });

  it("can be rotated while auth runs; an invalid file keeps the old ring, and its error shows no secret", async () => {
    const required = new Set<string>();
    const file = await open(false, required);
    const old = file.current();
    required.add(old.active.id);
    const fresh = parseRing(newRingText(randomBytes));
    const keys = [old.active, fresh.active].map(({ id, secret }) => ({ id, secret: secret.toString("base64url") }));
    const rotated = JSON.stringify({ active: fresh.active.id, keys });
    writeFileSync(path, rotated.slice(0, -5));
    await pollTwice();
    expect(file.current()).to.equal(old);
    expect(await refusedGauge()).to.equal(1);
    writeFileSync(path, JSON.stringify({ active: fresh.active.id, keys: keys.slice(1) }));
    await pollTwice();
    expect(file.current(), "without an entry that signed a key").to.equal(old);
    writeFileSync(path, rotated);
    await pollTwice();
    expect(file.current().active.id).to.equal(fresh.active.id);
    expect(file.current().byId.get(old.active.id)?.secret.equals(old.active.secret)).to.equal(true);
    for (const { secret } of keys) expect(lines.join("")).not.to.include(secret.slice(0, 8));
  });
});
