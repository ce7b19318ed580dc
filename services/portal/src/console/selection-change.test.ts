import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { expect } from "chai";
import { readSelectedKeys, selectedKey } from "./selected-keys.ts";
import { changeSelected, type Outcome, refusalOf } from "./selection-change.ts";

const keyOf = (keyId: string) => ({ keyId, version: 1, plan: "free" }) as KeyView;
const selectionOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ keyId: `key_${index}`, version: 1, plan: null }));

const backend = { getKey: async (keyId: string) => keyOf(keyId) };
const changed = async ({ keyId }: KeyView) => ({ ...keyOf(keyId), version: 2 });

describe("changeSelected", () => {
  it("returns a result for each key, in order", async () => {
    const outcomes = await changeSelected(backend, selectionOf(5), (key) => {
      if (key.keyId === "key_1") throw new ServiceError("conflict", "…");
      if (key.keyId === "key_2") throw new ServiceError("invalid", "the plan doesn't exist");
      return key.keyId === "key_3" ? "Nothing to do" : changed(key);
    });
    expect(outcomes.map(({ keyId, state, reason }) => [keyId, state, reason])).to.deep.equal([
      ["key_0", "changed", ""],
      ["key_1", "failed", "Not changed, because the key has changed since you loaded the list."],
      ["key_2", "failed", "The plan doesn't exist."],
      ["key_3", "unchanged", "Nothing to do"],
      ["key_4", "changed", ""],
    ]);
    expect(outcomes.map(({ isInvalid }) => isInvalid)).to.deep.equal([false, false, true, false, false]);
  });

  it("refuses input only if no key was changed", () => {
    const outcome: Outcome = {
      keyId: "key_1",
      key: null,
      before: null,
      state: "changed",
      reason: "",
      isInvalid: false,
    };
    const refused: Outcome = { ...outcome, state: "failed", reason: "The plan doesn't exist.", isInvalid: true };
    expect(refusalOf([refused, refused])).to.equal("The plan doesn't exist.");
    expect(refusalOf([outcome, refused])).to.equal("");
    expect(refusalOf([{ ...refused, isInvalid: false }])).to.equal("");
  });

  it("stops when auth stops responding", async () => {
    const tried: string[] = [];
    const outcomes = await changeSelected(backend, selectionOf(25), ({ keyId }) => {
      tried.push(keyId);
      throw new ServiceError("unavailable", "…");
    });
    expect(tried).to.have.length(10);
    expect(outcomes.map(({ state }) => state)).to.deep.equal(Array(25).fill("failed"));
    expect(outcomes[24]?.reason).to.match(/^Not tried/);
  });

  it("stops before the gateway gives up waiting, and gives no call more time than that", async () => {
    let nowMs = 0;
    const deadlines: number[] = [];
    const slow = (key: KeyView, _selected: unknown, deadlineMs: number) => {
      deadlines.push(deadlineMs);
      nowMs += 480;
      return changed(key);
    };
    const outcomes = await changeSelected(backend, selectionOf(40), slow, () => nowMs);
    expect(outcomes.filter(({ state }) => state === "changed")).to.have.length(20);
    expect([deadlines[0], deadlines[19]]).to.deep.equal([10_000, 5_200]);
  });
});

describe("readSelectedKeys", () => {
  it("reads what the list's checkboxes and an undo send, each key once", () => {
    const key = { keyId: "key_a1", version: 3 };
    expect(readSelectedKeys([selectedKey(key), selectedKey(key)])).to.deep.equal([{ ...key, plan: null }]);
    expect(readSelectedKeys([selectedKey(key, "team-2")])).to.deep.equal([{ ...key, plan: "team-2" }]);
  });
});
