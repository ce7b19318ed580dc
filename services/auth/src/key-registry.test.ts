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
  for (const [i, event] of events.entries()) registry.apply(event, i + 1);
  return registry;
}

describe("the key registry", () => {
  it("finds keys by id and by the SHA-256 of the key, with their latest state", () => {
    const registry = registryOf(issued("a", "free"), issued("b", "free"), moved("a", 2, "paid"));
    expect(registry.byId("a")).to.include({ plan: "paid", version: 2 });
    expect(registry.bySha256(sha("a"))).to.equal(registry.byId("a"));
    expect(registry.bySha256(sha("c"))).to.equal(undefined);
    expect(registry.byId("__proto__")).to.equal(undefined);
    expect(registry.all().map((key) => key.keyId)).to.deep.equal(["a", "b"]);
    expect([registry.size(), registry.sequence()]).to.deep.equal([2, 3]);
  });

  it("knows which plans keys that are not revoked use", () => {
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

  it("tells when something has come about, or that it has not in time", async () => {
    const registry = registryOf(issued("a", "free"));
    expect(await registry.until(() => registry.sequence() >= 1, 0)).to.equal(true);
    const soon = registry.until(() => registry.sequence() >= 2, 10_000);
    registry.apply(revoked("a", 2), 2);
    expect(await soon).to.equal(true);
    expect(await registry.until(() => registry.sequence() >= 3, 1)).to.equal(false);
  });
});
