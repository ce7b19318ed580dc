import { expect } from "chai";
import { ERROR_CATALOG } from "./catalog.ts";
import { ERROR_CODES } from "./errors.ts";

/** What only operators can do something with: commands, settings, the console. `YOUR_KEY` is a placeholder of callers. */
const FOR_OPERATORS = /\.\/geolookup|[Aa]s the operator|[Oo]perators:|console|\bper[A-Z]|`(?!YOUR_KEY)[A-Z]+_[A-Z]/;

describe("the error catalog", () => {
  it("has the ten codes and statuses of the contract, section 7", () => {
    expect(ERROR_CODES.map((code) => [code, ERROR_CATALOG[code].status])).to.deep.equal([
      ["missing_key", 401],
      ["malformed_key", 401],
      ["bad_signature", 401],
      ["unknown_key", 401],
      ["revoked_key", 401],
      ["origin_not_allowed", 403],
      ["rate_limited", 429],
      ["quota_exceeded", 429],
      ["not_found", 404],
      ["internal_error", 500],
    ]);
  });

  for (const code of ERROR_CODES)
    it(`says what ${code} means and gives each cause a fix for callers`, () => {
      const { title, meaning, causes } = ERROR_CATALOG[code];
      expect(causes).to.not.be.empty;
      for (const text of [title, meaning, ...causes.flatMap(({ cause, fix }) => [cause, fix])]) {
        expect(text).to.match(/^\S.*\S$/);
        expect(text.split("`").length % 2, `unpaired backtick in: ${text}`).to.equal(1);
        expect(text).to.not.match(FOR_OPERATORS);
      }
    });
});
