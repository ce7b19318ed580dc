import type { KeyEvent } from "@geolookup/shared/domain/key-event.ts";
import { parseKeyEvent } from "@geolookup/shared/logs/keys/event.ts";
import { expect } from "chai";
import { createKeyRegistry } from "./key-registry.ts";

const envelope = (keyId: string, version: number) => ({
  id: `${keyId}-${version}`,
  keyId,
  version,
  at: "2026-01-02T03:04:05.000Z",
  by: "test",
});
const sha = (keyId: string) => Buffer.from(keyId.padEnd(32)).toString("hex");
const issued = (keyId: string, plan: string): KeyEvent => ({
  ...envelope(keyId, 1),
  type: "KeyIssued",
  data: { kind: "secret", plan, label: "", origins: [], keySha256: sha(keyId), display: "geo_sk_…abcd" },
});
const moved = (keyId: string, version: number, plan: string): KeyEvent => ({
  ...envelope(keyId, version),
  type: "KeyPlanChanged",
  data: { plan },
});
const revoked = (keyId: string, version: number): KeyEvent => ({
  ...envelope(keyId, version),
  type: "KeyRevoked",
  data: { reason: "" },
});
const rotated = (keyId: string, version: number, successor: string): KeyEvent => ({
  ...envelope(keyId, version),
  type: "KeyRotated",
  data: {
    successor: { keyId: successor, keySha256: sha(successor), display: "geo_sk_…wxyz" },
    endsAt: "2026-01-03T00:00:00.000Z",
  },
});
const customerAdded = (id: string, plan: string): KeyEvent => ({
  ...envelope(`customer_${id}`, 1),
  type: "CustomerAdded",
  data: { name: "", plan },
});
const customerChanged = (id: string, version: number, plan: string): KeyEvent => ({
  ...envelope(`customer_${id}`, version),
  type: "CustomerChanged",
  data: { name: "", plan },
});
const joined = (keyId: string, version: number, customer: string | null): KeyEvent => ({
  ...envelope(keyId, version),
  type: "KeyCustomerChanged",
  data: { customer, from: "2026-02" },
});
const upgraded = (version: number, name: string): KeyEvent => ({
  ...envelope("cluster", version),
  type: "UpgradeFinished",
  data: { version: name },
});

function registryOf(...events: KeyEvent[]) {
  const registry = createKeyRegistry();
  registry.restart("epoch1");
  registry.caughtUp();
  for (const [i, event] of events.entries()) registry.apply(event, i + 1);
  return registry;
}

describe("createKeyRegistry", () => {
  it("finds the current state of keys by ID and by the SHA-256 of the key", () => {
    const registry = registryOf(issued("a", "free"), issued("b", "free"), moved("a", 2, "paid"));
    expect(registry.byId("a")).to.include({ plan: "paid", version: 2 });
    expect(registry.bySha256(sha("a"))).to.equal(registry.byId("a"));
    expect(registry.bySha256(sha("c"))).to.equal(undefined);
    expect(registry.byId("__proto__")).to.equal(undefined);
    expect(registry.all()).to.deep.equal([registry.byId("a"), registry.byId("b")]);
    expect(["b", "nobody"].map(registry.indexOf)).to.deep.equal([1, undefined]);
    expect(registry.position()).to.deep.equal({ epoch: "epoch1", sequence: 3 });
  });

  it("puts another object in the place of a changed key, which has none of the grants kept for the previous one", () => {
    const registry = registryOf(issued("a", "free"), issued("b", "free"));
    const before = registry.byId("a");
    registry.apply(moved("a", 2, "paid"), 3);
    expect(before).to.include({ plan: "free", version: 1 });
    expect(registry.all().map(({ plan }) => plan)).to.deep.equal(["paid", "free"]);
    expect(registry.bySha256(sha("a"))).to.equal(registry.byId("a"));
  });

  it("counts the plans of active keys", () => {
    const cases: [events: KeyEvent[], plans: Record<string, number>][] = [
      [[], {}],
      [[issued("a", "free"), issued("b", "free")], { free: 2 }],
      [[issued("a", "free"), moved("a", 2, "paid")], { paid: 1 }],
      [[issued("a", "free"), issued("b", "free"), revoked("a", 2)], { free: 1 }],
      [[issued("a", "free"), revoked("a", 2)], {}],
      [[issued("a", "free"), rotated("a", 2, "b")], { free: 2 }],
      [[customerAdded("x", "gold")], { gold: 0 }],
      [[customerAdded("x", "gold"), issued("a", "gold"), customerChanged("x", 2, "free")], { gold: 1, free: 0 }],
      [[customerAdded("x", "gold"), issued("a", "gold"), revoked("a", 2)], { gold: 0 }],
      [[customerAdded("x", "gold"), customerAdded("y", "gold"), customerChanged("x", 2, "free")], { gold: 0, free: 0 }],
      [[customerAdded("x", "gold"), customerChanged("x", 2, "free")], { free: 0 }],
    ];
    for (const [events, plans] of cases)
      expect(Object.fromEntries(registryOf(...events).plansInUse())).to.deep.equal(plans);
  });

  it("adds the successor of a rotated key, with its own events from version 2 on", () => {
    const registry = registryOf(issued("a", "free"), issued("z", "free"), rotated("a", 2, "b"), moved("b", 2, "paid"));
    expect(registry.byId("a")).to.include({ rotatedTo: "b", plan: "free", version: 2 });
    expect(registry.byId("b")).to.include({ rotatedFrom: "a", plan: "paid", version: 2 });
    expect(registry.bySha256(sha("b"))).to.equal(registry.byId("b"));
    expect(registry.bySha256(sha("a"))).to.equal(registry.byId("a"));
    expect(registry.all().map(({ keyId }) => keyId)).to.deep.equal(["a", "z", "b"]);
    expect(["a", "b", "nobody"].map(registry.versionOf)).to.deep.equal([2, 2, 0]);
  });

  it("has customers in the order in which they were added, each with its keys in the order of issue", () => {
    const registry = registryOf(
      ...[customerAdded("x", "free"), customerAdded("y", "free"), issued("a", "free"), issued("b", "free")],
      ...[issued("c", "free"), joined("c", 2, "x"), joined("a", 2, "x"), joined("b", 2, "x"), joined("a", 3, "y")],
      ...[rotated("b", 3, "d"), customerChanged("x", 2, "paid"), joined("c", 3, null)],
    );
    expect([...registry.customers().values()].map(({ id, plan }) => [id, plan])).to.deep.equal([
      ["x", "paid"],
      ["y", "free"],
    ]);
    expect(["x", "y", "z"].map((id) => [...registry.indexesOf(id)])).to.deep.equal([[1, 3], [0], []]);
    expect(registry.customer("x")).to.include({ version: 2 });
    expect(registry.versionOf("customer_x")).to.equal(2);
    expect(registry.byId("c")).to.not.have.property("customer");
  });

  it("says when a customer was changed, which affects its keys", () => {
    const registry = registryOf(customerAdded("x", "free"));
    const before = registry.customerChanges();
    registry.apply(customerAdded("y", "free"), 2);
    expect(registry.customerChanges()).to.equal(before);
    registry.apply(customerChanged("x", 2, "paid"), 3);
    expect(registry.customerChanges()).to.not.equal(before);
  });

  it("has the last upgrade that every process has", () => {
    expect(registryOf().upgrade()).to.equal(undefined);
    const registry = registryOf(upgraded(1, "0.3.0"), upgraded(2, "0.4.0"));
    expect(registry.upgrade()?.data).to.deep.equal({ version: "0.4.0" });
    expect(registry.versionOf("cluster")).to.equal(2);
  });

  it("folds a log of version 0.2 to the same state", () => {
    // As version 0.2 wrote and folded it.
    const lines = [
      '{"id":"1","type":"KeyIssued","keyId":"key_A","version":1,"at":"2026-01-02T03:04:05.000Z","by":"admin","data":{"kind":"publishable","plan":"free","label":"Shop","origins":["https://shop.example"],"keySha256":"0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f","display":"geo_pk_…aaaa"}}',
      '{"id":"2","type":"KeyIssued","keyId":"key_B","version":1,"at":"2026-01-02T03:04:06.000Z","by":"demo","data":{"kind":"secret","plan":"free","label":"","origins":[],"keySha256":"1f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f","display":"geo_sk_…bbbb","mayForward":true}}',
      '{"id":"3","type":"KeyPlanChanged","keyId":"key_A","version":2,"at":"2026-01-02T03:04:07.000Z","by":"admin","data":{"plan":"paid"}}',
      '{"id":"4","type":"KeyOriginsChanged","keyId":"key_A","version":3,"at":"2026-01-02T03:04:08.000Z","by":"admin","data":{"origins":[]}}',
      '{"id":"5","type":"KeyLabelChanged","keyId":"key_B","version":2,"at":"2026-01-02T03:04:09.000Z","by":"admin","data":{"label":"Back end"}}',
      '{"id":"6","type":"KeyRevoked","keyId":"key_A","version":4,"at":"2026-01-02T03:04:10.000Z","by":"admin","data":{"reason":"leaked"}}',
    ];
    const registry = registryOf(...lines.map((line) => parseKeyEvent(JSON.parse(line))));
    expect(registry.all()).to.deep.equal([
      {
        ...{ status: "revoked", keyId: "key_A", kind: "publishable", plan: "paid", label: "Shop", origins: [] },
        ...{ display: "geo_pk_…aaaa", version: 4, createdAt: "2026-01-02T03:04:05.000Z" },
        ...{ revokedAt: "2026-01-02T03:04:10.000Z", revokedReason: "leaked" },
      },
      {
        ...{ status: "active", keyId: "key_B", kind: "secret", plan: "free", label: "Back end", origins: [] },
        ...{ display: "geo_sk_…bbbb", mayForward: true, version: 2, createdAt: "2026-01-02T03:04:06.000Z" },
      },
    ]);
    expect(registry.plansInUse()).to.deep.equal(new Map([["free", 1]]));
  });

  it("waits for a condition, up to a deadline", async () => {
    const registry = registryOf(issued("a", "free"));
    expect(await registry.until(() => registry.position().sequence >= 1, 0)).to.equal(true);
    const soon = registry.until(() => registry.position().sequence >= 2, 10_000);
    registry.apply(revoked("a", 2), 2);
    expect(await soon).to.equal(true);
    expect(await registry.until(() => registry.position().sequence >= 3, 1)).to.equal(false);
  });

  it("keeps serving the previous keys until rereading the log has caught up", async () => {
    const registry = registryOf(issued("a", "free"), issued("b", "free"));
    const moved2 = registry.until(() => registry.byId("a")?.version === 2, 10_000);
    registry.restart("epoch2");
    expect(registry.apply(issued("a", "free"), 1)).to.equal(true);
    expect(registry.apply(moved("a", 2, "paid"), 2)).to.equal(true);
    expect(registry.byId("a")).to.include({ plan: "free", version: 1 });
    expect(registry.byId("b")).to.include({ status: "active" });
    expect(registry.plansInUse()).to.deep.equal(new Map([["free", 2]]));
    expect(registry.position()).to.deep.equal({ epoch: "epoch1", sequence: 2 });
    registry.caughtUp();
    expect(await moved2).to.equal(true);
    expect(registry.byId("b")).to.equal(undefined);
    expect(registry.plansInUse()).to.deep.equal(new Map([["paid", 1]]));
    expect(registry.position()).to.deep.equal({ epoch: "epoch2", sequence: 2 });
  });

  describe("reports an event that doesn't follow:", () => {
    const cases: [what: string, before: KeyEvent[], event: KeyEvent, after: object | undefined][] = [
      ["a second issue", [issued("a", "free")], issued("a", "paid"), { plan: "free", version: 1 }],
      ["a change of what was never issued", [], moved("a", 2, "paid"), undefined],
      ["a version again", [issued("a", "free"), moved("a", 2, "paid")], moved("a", 2, "free"), { plan: "paid" }],
      ["a version from the future", [issued("a", "free")], moved("a", 3, "paid"), { plan: "free", version: 1 }],
      ["a successor that exists", [issued("a", "free"), issued("b", "free")], rotated("a", 2, "b"), { version: 1 }],
      ["a successor that is the key itself", [issued("a", "free")], rotated("a", 2, "a"), { version: 1 }],
      ["a second addition of a customer", [customerAdded("x", "free")], customerAdded("x", "gold"), undefined],
      ["a change of a customer that wasn't added", [], customerChanged("x", 1, "gold"), undefined],
      ["an upgrade from the future", [upgraded(1, "0.3.0")], upgraded(3, "0.5.0"), undefined],
      ["a revocation behind a gap, which counts", [issued("a", "free")], revoked("a", 4), { status: "revoked" }],
    ];
    for (const [what, before, event, after] of cases)
      it(what, () => {
        const registry = registryOf(...before);
        expect(registry.apply(event, before.length + 1)).to.equal(false);
        if (after) expect(registry.byId("a")).to.include(after);
        else expect(registry.byId("a")).to.equal(undefined);
        expect(registry.position().sequence).to.equal(before.length + 1);
      });
  });
});
