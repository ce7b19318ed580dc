import { expect } from "chai";
import { formOutcome } from "./console-forms.ts";

describe("formOutcome", () => {
  for (const [statusCode, location, outcome] of [
    [303, "/console/keys", "accepted"],
    [200, undefined, "accepted"],
    [303, "/console/sign-in?next=%2Fconsole", "refused"],
    [403, undefined, "refused"],
    [429, undefined, "refused"],
    // A stranger's malformed form must not clear the stranger's network.
    [400, undefined, "refused"],
    [409, undefined, "failed"],
    [503, undefined, "failed"],
  ] as const)
    it(`of ${statusCode}${location ? ` to ${location}` : ""}: ${outcome}`, () =>
      expect(formOutcome({ statusCode, headers: { location } })).to.equal(outcome));
});
