import type { EventView, KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { expect } from "chai";
import { html } from "../html.ts";
import { savedNotice, savedQuery } from "./saved-notice.ts";

const ORIGINS = ["https://a.test", "https://b.test"];
const EVENTS = [
  ["KeyIssued", { label: "Shop", plan: "free", origins: ORIGINS }],
  ["KeyPlanChanged", { plan: "paid" }],
  ["KeyOriginsChanged", { origins: [] }],
  ["KeyLabelChanged", { label: "Store" }],
] as const;
const key = { keyId: "key_1", version: 4, label: "Store", plan: "paid", origins: [] as string[] } as KeyView;
const history = EVENTS.map(([type, data], index) => ({ type, data, version: index + 1 }) as unknown as EventView);
const notice = (saved: string | null, changed: Partial<KeyView> = {}) =>
  savedNotice(saved, { key: { ...key, ...changed }, history, hidden: html`` }).text;
const fields = (text: string) =>
  Object.fromEntries([...text.matchAll(/name="([\w-]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]));

describe("savedNotice", () => {
  it("confirms the changes since a version, and undoes all of them for this version only", () => {
    const text = notice("2-4");
    expect(text).to.include("Origins and label saved. All gateways apply this within a second.");
    expect(text).to.include('action="/console/keys/key_1/settings"');
    expect(fields(text)).to.include({
      ...{ version: "4", label: "Shop", plan: "paid", origins: ORIGINS.join("\n") },
      ...{ "was-label": "Store", "was-plan": "paid", "was-origins": "" },
    });
    expect(notice("3-4")).to.include("<p>Label saved.</p>");
    expect(fields(notice("1-4"))).to.include({ plan: "free" });
  });

  it("ignores what isn't the latest change, and offers no undo for a revocation", () => {
    for (const saved of [null, "", "4-4", "2-3", "revoked", "constructor", "2", "x-4"])
      expect(notice(saved), String(saved)).to.equal("");
    expect(notice("revoked", { status: "revoked" }))
      .to.include("Key revoked")
      .and.not.include("<form");
    expect(notice("3-4", { status: "revoked" })).to.equal("");
    expect([savedQuery(3, 3), savedQuery(3, 5)]).to.deep.equal(["", "?saved=3-5"]);
  });
});
