import { expect } from "chai";
import { ERROR_CODES, ERROR_STATUS } from "./errors.ts";

describe("the error catalog", () => {
  it("has the ten codes and statuses of the contract, section 7", () => {
    expect(ERROR_CODES.map((code) => [code, ERROR_STATUS[code]])).to.deep.equal([
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
});
