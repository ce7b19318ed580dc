import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { expect } from "chai";
import { apiErrorOf } from "./errors.ts";

describe("errors of the admin API", () => {
  it("have no address of a service that is unavailable", () => {
    const cause = "No connection established. Last error: connect ECONNREFUSED 10.0.0.7:50052";
    const { code, message, headers } = apiErrorOf(new ServiceError("unavailable", cause));
    expect([code, headers]).to.deep.equal(["unavailable", { "Retry-After": "1" }]);
    expect(message).to.not.include("10.0.0.7").and.not.include("50052");
  });
});
