import { expect } from "chai";
import { ERROR_CODES } from "./errors.ts";
import { TESTED_CODES, testMessages } from "./testing/message-cases.ts";

describe("the message for a failure", () => {
  testMessages("failures", [
    {
      name: "overload",
      problem: { code: "internal_error", reason: "overload" },
      says: [/overloaded/, /`Retry-After`/],
    },
    { name: "a fault", problem: { code: "internal_error", reason: "fault" }, says: [/not the cause/, /log/] },
    {
      name: "an unavailable docs site",
      problem: { code: "internal_error", reason: "docs" },
      says: [/docs site is not responding/, /the API is unaffected/],
    },
  ]);
});

it("every error code has a tested message", () => {
  expect(Object.values(TESTED_CODES).flat()).to.have.members(ERROR_CODES);
});
