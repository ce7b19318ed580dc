import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { mintKey } from "@geolookup/auth/signing/signature.ts";
import { newRingText, parseRing } from "@geolookup/auth/signing/signing-ring.ts";
import { expect } from "chai";
import { createCandidateFinder } from "./find-candidates.ts";

const RULES = readFileSync(new URL("../../../infra/gitleaks.toml", import.meta.url), "utf8");

describe("the rules for gitleaks", () => {
  const [keyRule = "", tokenRule = ""] = [...RULES.matchAll(/^regex = '''(.*)'''$/gm)].map(([, regex]) => regex);
  const keywords = [...RULES.matchAll(/"(geo_\w\w_)"/g)].map(([, keyword]) => keyword);
  const { active } = parseRing(newRingText(randomBytes));

  it("find every key, as keys scan does", () => {
    for (let count = 0; count < 500; count += 1) {
      const key = mintKey(count % 2 === 0 ? "publishable" : "secret", active, randomBytes);
      const line = `export const KEY = "${key}";`;
      expect(new RegExp(keyRule).exec(line)?.[0]).to.equal(key);
      expect(keywords.filter((keyword) => line.includes(keyword ?? ""))).to.have.length(1);
      expect(createCandidateFinder()(Buffer.from(line)).map(({ text }) => text)).to.deep.equal([key]);
    }
  });

  it("find operators' tokens", () => {
    expect(new RegExp(tokenRule).test(`ADMIN_TOKEN=geo_op_${"aB3".repeat(13)}x`)).to.equal(true);
    expect(new RegExp(tokenRule).test(`geo_op_${"aB3".repeat(13)}`)).to.equal(false);
  });

  for (const decoy of [
    "geo_sk_…x7Qp",
    "geo_sk_YOUR_KEY",
    `geo_sk_${"a".repeat(25)}_${"b".repeat(22)}`,
    "geo_pk_123_456",
  ])
    it(`leave out ${decoy}`, () => expect(new RegExp(keyRule).test(decoy)).to.equal(false));

  it("use only what Go's regular expressions have", () => expect(keyRule + tokenRule).to.match(/^[\w[\]{},-]+$/));
});
