import type { EventView, KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { expect } from "chai";
import { savedNotice } from "./saved-notice.ts";

const key = { keyId: "key_1", version: 3 } as KeyView;
const event = (type: string, data: unknown) => ({ type, data }) as EventView;
const HISTORY = [
  event("KeyIssued", { label: "Shop", plan: "free", origins: ["https://a.test", "https://b.test"] }),
  event("KeyPlanChanged", { plan: "paid" }),
];
const notice = (saved: string | null, ...later: EventView[]) =>
  savedNotice(saved, { key, history: [...HISTORY, ...later], csrfToken: "t" }).text;

describe("savedNotice", () => {
  it("confirms the latest change, and undoes it for this version only", () => {
    expect(notice("label", event("KeyLabelChanged", { label: "Store" })))
      .to.include("Label saved.")
      .and.include('action="/console/keys/key_1/label"')
      .and.include('name="version" value="3"')
      .and.include('name="label" value="Shop"');
    expect(notice("plan")).to.include('name="plan" value="free"');
    expect(notice("origins", event("KeyOriginsChanged", { origins: [] }))).to.include(
      'name="origins" value="https://a.test\nhttps://b.test"',
    );
  });

  it("ignores a change that didn't happen, and offers no undo for a revocation", () => {
    for (const saved of [null, "", "label", "revoked", "constructor"])
      expect(notice(saved), String(saved)).to.equal("");
    const revoked = { ...key, status: "revoked" };
    expect(savedNotice("revoked", { key: revoked, history: [], csrfToken: "t" }).text)
      .to.include("Key revoked")
      .and.not.include("<form");
  });
});
