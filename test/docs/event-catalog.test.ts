import { readFileSync } from "node:fs";
import { join } from "node:path";
import { plansHash } from "@geolookup/shared/domain/plans.ts";
import { parseKeyEvent } from "@geolookup/shared/logs/keys/event.ts";
import { expect } from "chai";

const PAGE = readFileSync(join(import.meta.dirname, "../../docs/architecture.md"), "utf8");
const SECTION = /\n### KEYS: key events\n(.*?)\n### /s.exec(PAGE)?.[1] ?? "";
/** A valid value of every field but `type` and `data`. */
const VALUES: Readonly<Record<string, unknown>> = {
  id: "e1",
  keyId: "key_1",
  version: 1,
  at: "2026-11-22T00:00:00Z",
  by: "admin",
  kind: "secret",
  plan: "free",
  label: "",
  origins: [],
  keySha256: "0".repeat(64),
  display: "geo_sk_…abcd",
  reason: "",
  expiresAt: "2027-01-01T00:00:00Z",
  customer: "acme",
  metadata: { team: "web" },
  successor: { keyId: "key_2", keySha256: "0".repeat(64), display: "geo_sk_…wxyz" },
  endsAt: "2027-01-01T00:00:00Z",
  from: "2027-01",
  name: "Acme",
  monthlyRequests: 5,
  plans: { free: { fields: "free", monthlyRequests: 5 } },
  hash: plansHash(new Map([["free", { fields: "free", monthlyRequests: 5 }]])),
};

/** The rows of the section's tables whose first column is a name. */
const rows = [...SECTION.matchAll(/^\| `(\w+)` \| (.*)$/gm)].map(([, name = "", rest = ""]) => ({ name, rest }));
const isType = (name: string) => /^[A-Z]/.test(name);
const events = rows.filter(({ name }) => isType(name));
const envelope = rows.filter(({ name }) => !isType(name)).map(({ name }) => name);

describe("the catalog of key events in docs/architecture.md", () => {
  it("lists every type", () => {
    const source = readFileSync(join(import.meta.dirname, "../../services/shared/src/domain/key-event.ts"), "utf8");
    const types = [...source.matchAll(/"((?:Key|Plans|Customer|Upgrade)[A-Z]\w+)"/g)].map(([, type]) => type);
    expect(events.map(({ name }) => name)).to.have.members(types);
  });

  for (const { name, rest } of events)
    it(`lists every field of ${name}, and no other`, () => {
      const fields = [...(rest.split(" | ")[0] ?? "").matchAll(/(?:^|<br>)`(\w+)`/g)].map(([, field = ""]) => field);
      // A release, and not the number of an event.
      const values = name === "UpgradeFinished" ? { version: "0.3.0" } : VALUES;
      const data = Object.fromEntries(fields.map((field) => [field, values[field as keyof typeof values]]));
      const event = Object.fromEntries(envelope.map((field) => [field, VALUES[field]]));
      if (name === "PlansChanged") event.keyId = "plans";
      if (name.startsWith("Customer")) event.keyId = "customer_acme";
      if (name === "UpgradeFinished") event.keyId = "cluster";
      expect(() => parseKeyEvent({ ...event, type: name, data })).to.not.throw();
    });
});
