import type { KeyEvent } from "@geolookup/shared/domain/key-event.ts";
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
    ];
    for (const [events, plans] of cases)
      expect(Object.fromEntries(registryOf(...events).plansInUse())).to.deep.equal(plans);
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
