import { hash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { KeyEvent } from "@geolookup/shared/domain/key-event.ts";
import { expect } from "chai";
import { rejection } from "../../../../../test/harness/rejection.ts";
import { tempFolder } from "../../../../../test/harness/temp-folder.ts";
import { newRingText, parseRing, type SigningRing } from "../../signing/signing-ring.ts";
import { authorizationOf } from "../../testing/authorization-of.ts";
import { createKeyRegistry, type KeyRegistry, type KeySnapshot } from "../key-registry.ts";
import { readSnapshot, writeSnapshot } from "./snapshot-file.ts";

const NEVER = new AbortController().signal;
/** Three parts. */
const KEYS = 2_500;
const newRing = () => parseRing(newRingText(randomBytes));

/** Keys of every kind: changed, revoked, with long and unusual values. */
function eventsOfKeys(): KeyEvent[] {
  const events: KeyEvent[] = [];
  for (let i = 0; i < KEYS; i++) {
    const keyId = `key_${i}`;
    const envelope = (version: number) => ({ id: `${i}-${version}`, keyId, version, by: "test" });
    const at = i % 7 === 0 ? "yesterday" : i % 11 === 0 ? "" : new Date(1_700_000_000_000 + i).toISOString();
    const data = {
      kind: i % 2 === 0 ? ("secret" as const) : ("publishable" as const),
      plan: `plan${i % 5}`,
      label: i % 3 === 0 ? "" : `Läden\n商店 🌍 "\u0000${i}`,
      origins: i % 4 === 0 ? [`https://shop-${i}.example`, "https://*.example"] : [],
      keySha256: hash("sha256", `${i}`, "hex"),
      display: i % 9 === 0 ? "x" : `geo_${i % 2 === 0 ? "sk" : "pk"}_…zZ09`,
      ...(i % 8 === 0 && { mayForward: true as const }),
    };
    events.push({ ...envelope(1), at, type: "KeyIssued", data });
    if (i % 5 === 0) events.push({ ...envelope(2), at, type: "KeyPlanChanged", data: { plan: "moved" } });
    if (i % 10 === 0)
      events.push({ ...envelope(3), at: "2026-01-02T03:04:05.678Z", type: "KeyRevoked", data: { reason: "leaked" } });
  }
  return events;
}

function registryOf(events: readonly KeyEvent[]): KeyRegistry {
  const registry = createKeyRegistry();
  registry.restart("epoch1");
  for (const [i, event] of events.entries()) registry.apply(event, i + 1);
  registry.caughtUp();
  return registry;
}

const digestOf = (i: number) => hash("sha256", `${i}`, "binary");
const stateOf = (registry: KeyRegistry) => ({
  keys: [...registry.after(null)],
  authorizations: Array.from({ length: KEYS }, (_, i) => authorizationOf(registry, digestOf(i))),
  plansInUse: registry.plansInUse(),
  position: registry.position(),
});

describe("the snapshot of keys", () => {
  const registry = registryOf(eventsOfKeys());
  let ring: SigningRing;
  let path: string;
  const write = (snapshot = registry.copy() as KeySnapshot, signal = NEVER) =>
    writeSnapshot(path, snapshot, ring.active, signal);
  const restored = async (ring: SigningRing) => {
    const registry = createKeyRegistry();
    const keys = await readSnapshot(path, ring);
    if (keys) registry.restore(keys);
    return registry;
  };
  beforeEach(() => {
    ring = newRing();
    path = join(tempFolder(), "keys.snapshot");
  });

  it("restores every key as it was, and only its owner can read the file", async () => {
    await write();
    const again = await restored(ring);
    expect(stateOf(again)).to.deep.equal(stateOf(registry));
    expect(again.copy()?.mark).to.deep.equal(registry.copy()?.mark);
    expect(statSync(path).mode & 0o777).to.equal(0o600);
    const next: KeyEvent = {
      id: "n",
      keyId: "key_1",
      version: 2,
      at: "",
      by: "",
      type: "KeyRevoked",
      data: { reason: "" },
    };
    const sequence = registry.position().sequence + 1;
    expect(again.apply(next, sequence)).to.equal(true);
    expect(authorizationOf(again, digestOf(1))).to.include({ status: "revoked" });
    expect(again.copy()?.mark).to.deep.equal({ epoch: "epoch1", sequence, eventId: "n" });
  });

  it("is of the moment when it was taken, whatever happens while it is written", async () => {
    const changing = registryOf(eventsOfKeys());
    const snapshot = changing.copy() as KeySnapshot;
    const { sequence } = changing.position();
    const change = { keyId: "key_2401", version: 2, at: "", by: "" };
    changing.apply({ ...change, id: "n1", type: "KeyLabelChanged", data: { label: "later" } }, sequence + 1);
    changing.apply({ ...change, id: "n2", version: 3, type: "KeyRevoked", data: { reason: "" } }, sequence + 2);
    changing.apply({ ...(eventsOfKeys()[0] as KeyEvent), keyId: "new", id: "n3" }, sequence + 3);
    await write(snapshot);
    expect(stateOf(await restored(ring))).to.deep.equal(stateOf(registry));
  });

  it("can be read after the active signing key has changed", async () => {
    await write();
    const active = newRing().active;
    const rotated = { active, byId: new Map([[active.id, active], ...ring.byId]) };
    expect((await restored(rotated)).size()).to.equal(KEYS);
  });

  it("doesn't exist at first", async () => {
    expect(await readSnapshot(path, ring)).to.equal(undefined);
  });

  it("isn't read if another signing key signed it, or if it isn't a file", async () => {
    await write();
    expect(await rejection(readSnapshot(path, newRing()))).to.match(/none of the signing keys signed it/);
    mkdirSync(`${path}.folder`);
    expect(await rejection(readSnapshot(`${path}.folder`, ring))).to.match(/isn't a regular file/);
  });

  const lines = (text: string) => text.split("\n");
  const damages: [what: string, change: (text: string) => string, problem: RegExp][] = [
    ["a changed digit", (text) => text.replace(/"versions":\[1/, '"versions":[2'), /was changed/],
    ["a key that was revoked and isn't any more", (text) => text.replace(/"flags":\[\d+/, '"flags":[1'), /was changed/],
    ["a changed header", (text) => text.replace('"count":2500', '"count":1024'), /none of the signing keys/],
    ["a missing part", (text) => lines(text).toSpliced(2, 1).join("\n"), /was changed/],
    ["parts in another order", (text) => text.replace(/^(.*\n)(.*\n)(.*\n)/, "$1$3$2"), /was changed/],
    ["a part twice", (text) => text.replace(/^(.*\n)(.*\n)/, "$1$2$2"), /was changed/],
    ["no last part", (text) => lines(text).toSpliced(3, 1).join("\n"), /incomplete/],
    ["only the header", (text) => `${lines(text)[0]}\n`, /incomplete/],
    ["half of the file", (text) => text.slice(0, text.length / 2), /incomplete/],
    ["half of the header", (text) => text.slice(0, 50), /incomplete/],
    ["an empty line at the start", (text) => `\n${text}`, /none of the signing keys/],
    ["an empty line at the end", (text) => `${text}\n`, /was changed/],
    ["text at the end", (text) => `${text}x`, /incomplete/],
    ["nothing", () => "", /incomplete/],
    ["zeros", (text) => "\0".repeat(text.length), /incomplete/],
  ];
  for (const [what, change, problem] of damages)
    it(`isn't read with damage: ${what}`, async () => {
      await write();
      const text = readFileSync(path, "utf8");
      expect(change(text)).not.to.equal(text);
      writeFileSync(path, change(text));
      expect(await rejection(readSnapshot(path, ring))).to.match(problem);
    });

  it("stays as it was, without leftovers, if writing ends early", async () => {
    await write();
    const before = readFileSync(path, "utf8");
    const ended = new AbortController();
    ended.abort(new Error("ended"));
    expect(await rejection(write(undefined, ended.signal))).to.match(/ended/);
    expect(readFileSync(path, "utf8")).to.equal(before);
    expect(readdirSync(dirname(path))).to.deep.equal(["keys.snapshot"]);
    expect(
      await rejection(writeSnapshot(join(path, "x"), registry.copy() as KeySnapshot, ring.active, NEVER)),
    ).to.match(/ENOTDIR/);
    expect(existsSync(path)).to.equal(true);
  });
});

describe("a registry whose log has messages that weren't applied", () => {
  const [issue, ...more] = eventsOfKeys() as [KeyEvent, ...KeyEvent[]];
  const cases: [what: string, events: [KeyEvent, sequence: number][]][] = [
    ["nothing was applied", []],
    [
      "a message is missing or was set aside",
      [
        [issue, 1],
        [more[0] as KeyEvent, 3],
      ],
    ],
    ["the first message was set aside", [[issue, 2]]],
    [
      "an event didn't follow the ones before it",
      [
        [issue, 1],
        [{ ...issue, id: "again" }, 2],
      ],
    ],
  ];
  for (const [what, events] of cases)
    it(`has no snapshot: ${what}`, () => {
      const registry = createKeyRegistry();
      registry.restart("epoch1");
      for (const [event, sequence] of events) registry.apply(event, sequence);
      registry.caughtUp();
      expect(registry.copy()).to.equal(undefined);
    });

  it("has one again after the log was reread without them", () => {
    const registry = createKeyRegistry();
    registry.restart("epoch1");
    registry.apply(issue, 2);
    registry.caughtUp();
    registry.restart("epoch2");
    registry.apply(issue, 1);
    registry.caughtUp();
    expect(registry.copy()?.mark).to.deep.equal({ epoch: "epoch2", sequence: 1, eventId: issue.id });
  });
});
