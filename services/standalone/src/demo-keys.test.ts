import type { KeyAdmin } from "@geolookup/auth/keys/key-admin.ts";
import type { Plan } from "@geolookup/shared/domain/plans.ts";
import { expect } from "chai";
import { issueDemoKeys } from "./demo-keys.ts";

describe("issueDemoKeys", () => {
  for (const [names, issued] of [
    [
      ["free", "paid"],
      ["publishable free", "secret paid"],
    ],
    [["free", "pro"], []],
    [["gratis", "paid"], []],
  ] as const)
    it(`issues ${issued.length} keys if the plans are ${names.join(" and ")}`, async () => {
      const plans = new Map(names.map((name) => [name as string, {} as Plan]));
      const calls: string[] = [];
      const admin = {
        list: async () => ({ keys: [] }),
        issue: async ({ kind, plan }: { kind: string; plan: string }) => {
          calls.push(`${kind} ${plan}`);
          return { secret: kind };
        },
      } as unknown as KeyAdmin;
      const keys = await issueDemoKeys(admin, plans);
      expect(calls).to.deep.equal(issued);
      expect(keys).to.deep.equal(issued.length === 0 ? null : { publishable: "publishable", secret: "secret" });
    });
});
