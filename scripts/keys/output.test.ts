import type { KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { expect } from "chai";
import { keyTable, keyText } from "./output.ts";

const PLAIN: KeyView = {
  ...{ keyId: "key_a", kind: "secret", plan: "paid", label: "Shop", origins: [], display: "geo_sk_…abcd" },
  ...{ status: "active", createdAt: "2026-01-31T23:59:59.000Z", version: 1 },
};
const LIMITED: KeyView = {
  ...{ ...PLAIN, keyId: "key_b", plan: "widget" },
  limits: { perCallerHourly: 100, perSecond: 10, burst: 20 },
};

describe("keys printed as text", () => {
  it("show the limits of the key's plan", () => {
    expect(keyText(LIMITED)).to.match(
      /^plan +widget\nlimits +100 an hour per caller, 10 a second \(burst 20\)\nlabel/m,
    );
    expect(keyText(PLAIN)).to.not.include("limits");
  });

  it("have a column for limits if there are any", () => {
    const [head = "", plain = "", limited = ""] = keyTable([PLAIN, LIMITED], false).split("\n");
    const column = head.indexOf("LIMITS");
    const end = head.indexOf("STATUS");
    expect([plain, limited].map((line) => line.slice(column, end).trim())).to.deep.equal([
      "-",
      "100 an hour per caller, 10 a second (burst 20)",
    ]);
    expect(keyTable([PLAIN], false)).to.not.include("LIMITS");
  });
});
