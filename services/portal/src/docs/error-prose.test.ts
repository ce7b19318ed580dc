import { ERROR_CODES } from "@geolookup/shared/domain/errors.ts";
import { expect } from "chai";
import { ERROR_PROSE } from "./error-prose.ts";

describe("the documentation of errors", () => {
  for (const code of ERROR_CODES)
    it(`says what ${code} means and gives each cause a fix`, () => {
      const { title, meaning, causes } = ERROR_PROSE[code];
      expect(causes).to.not.be.empty;
      for (const text of [title, meaning, ...causes.flatMap(({ cause, fix }) => [cause, fix])]) {
        expect(text).to.match(/^\S.*\S$/);
        expect(text.split("`").length % 2, `unpaired backtick in: ${text}`).to.equal(1);
      }
    });
});
