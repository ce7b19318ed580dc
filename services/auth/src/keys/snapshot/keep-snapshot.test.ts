import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { pino } from "pino";
import { tempFolder } from "../../../../../test/harness/temp-folder.ts";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { newRingText, parseRing } from "../../signing/signing-ring.ts";
import { createKeyRegistry, type KeyRegistry } from "../key-registry.ts";
import { keepSnapshot, restoreKeys } from "./keep-snapshot.ts";

const DEADLINE_MS = 5_000;
const TWO_HOURS_MS = 7_200_000;

describe("keeping a snapshot of keys", () => {
  const ring = parseRing(newRingText(randomBytes));
  let path: string;
  let registry: KeyRegistry;
  let logged: { level: number; msg: string }[];
  const opened = new AsyncDisposableStack();
  after(() => opened.disposeAsync());
  beforeEach(() => {
    path = join(tempFolder(), "auth", "keys.snapshot");
    logged = [];
    registry = createKeyRegistry();
    registry.restart("epoch1");
    registry.caughtUp();
  });
  const options = () => {
    const log = pino({}, { write: (line) => void logged.push(JSON.parse(line)) });
    return { path, registry, ring: () => ring, log };
  };
  const issue = (count: number) => {
    for (let i = 0; i < count; i++) {
      const sequence = registry.position().sequence + 1;
      const data = { plan: "free", label: "", origins: [], display: "geo_sk_…abcd" };
      const keySha256 = sequence.toString(16).padStart(64, "0");
      const event = { id: `${sequence}`, keyId: `key_${sequence}`, version: 1, at: "", by: "test" };
      registry.apply({ ...event, type: "KeyIssued", data: { ...data, kind: "secret", keySha256 } }, sequence);
    }
  };
  const keep = (eventsPerSnapshot = 10_000) =>
    opened.use(keepSnapshot({ ...options(), restored: undefined, eventsPerSnapshot }));
  const isWritten = () => logged.some(({ msg }) => msg === "key snapshot written");

  it("writes it at once if there are enough events, in a new folder, and restores from it", async () => {
    issue(20);
    keep(20);
    await waitFor("the snapshot", isWritten, DEADLINE_MS);
    registry = createKeyRegistry();
    expect(await restoreKeys(options())).to.deep.equal({ epoch: "epoch1", sequence: 20, eventId: "20" });
    expect(registry.size()).to.equal(20);
  });

  it("doesn't write it for fewer new events than that", async () => {
    issue(9_999);
    await keep()[Symbol.asyncDispose]();
    expect([existsSync(path), logged]).to.deep.equal([false, []]);
    issue(1);
    keep();
    await waitFor("the snapshot", isWritten, DEADLINE_MS);
    const before = readFileSync(path);
    logged.length = 0;
    const restored = await restoreKeys(options());
    issue(9_999);
    await opened.use(keepSnapshot({ ...options(), restored }))[Symbol.asyncDispose]();
    expect(readFileSync(path).equals(before)).to.equal(true);
    const replaced = opened.use(
      keepSnapshot({ ...options(), restored: { epoch: "other", sequence: 10_000, eventId: "" } }),
    );
    await waitFor("the snapshot of a new epoch", isWritten, DEADLINE_MS);
    await replaced[Symbol.asyncDispose]();
  });

  it("discards a snapshot that is being written when it ends", async () => {
    issue(3_000);
    await keep(1)[Symbol.asyncDispose]();
    expect(readdirSync(dirname(path))).to.deep.equal([]);
    expect(logged).to.deep.equal([]);
  });

  it("removes what a killed process left, and nothing else", async () => {
    issue(1);
    await keep(1)[Symbol.asyncDispose]();
    const folder = dirname(path);
    const old = new Date(Date.now() - TWO_HOURS_MS);
    for (const name of ["keys.snapshot.0a1b.tmp", "keys.snapshot.recent.tmp", "other.tmp", "keys.snapshot.old"]) {
      writeFileSync(join(folder, name), "");
      if (!name.includes("recent")) utimesSync(join(folder, name), old, old);
    }
    keep(1);
    await waitFor("the snapshot", isWritten, DEADLINE_MS);
    expect(readdirSync(folder).sort()).to.deep.equal([
      "keys.snapshot",
      "keys.snapshot.old",
      "keys.snapshot.recent.tmp",
      "other.tmp",
    ]);
  });

  it("logs once that it can't be written, or why it is ignored, and works on", async () => {
    path = join(tempFolder(), "file", "keys.snapshot");
    writeFileSync(dirname(path), "");
    issue(1);
    keep(1);
    await waitFor("the warning", () => logged.length > 0, DEADLINE_MS);
    expect(logged[0]).to.include({ level: 40, msg: "key snapshot can't be written" });
    path = join(tempFolder(), "keys.snapshot");
    writeFileSync(path, "not a snapshot\n");
    logged.length = 0;
    expect(await restoreKeys(options())).to.equal(undefined);
    expect(logged).to.have.length(1);
    expect(logged[0]).to.include({
      level: 40,
      msg: "key snapshot ignored; reading the whole key log",
      reason: "none of the signing keys signed it, or another version wrote it",
    });
    expect(registry.size(), "unchanged").to.equal(1);
  });
});
