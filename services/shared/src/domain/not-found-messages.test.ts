import { expect } from "chai";
import { errorBody } from "./error-messages.ts";
import { testMessages } from "./testing/message-cases.ts";

describe("the message for a request without an endpoint", () => {
  testMessages("notFound", [
    {
      name: "an unknown path, without its query",
      problem: { code: "not_found", method: "GET", path: "/V1/geo?key=geo_sk_secret" },
      says: [/`GET \/V1\/geo`/, /`GET \/v1\/geo`/],
      never: /secret/,
    },
    {
      name: "a fragment, without its text",
      problem: { code: "not_found", method: "GET", path: "/v1/geo#geo_sk_secret" },
      says: [/fragment/, /Remove the `#`/],
      never: /no endpoint|secret/,
    },
    {
      name: "a POST",
      problem: { code: "not_found", method: "POST", path: "/v1/geo" },
      says: [/`\/v1\/geo` doesn't support `POST`/, /Use GET/],
    },
    {
      name: "a request that can't be parsed",
      problem: { code: "not_found", unreadable: "syntax" },
      says: [/isn't valid HTTP/, /`Host`/],
    },
    { name: "an Expect header", problem: { code: "not_found", unreadable: "expectation" }, says: [/`Expect`/] },
    { name: "a tunnel", problem: { code: "not_found", unreadable: "tunnel" }, says: [/`CONNECT`/, /isn't a proxy/] },
    { name: "a slow request", problem: { code: "not_found", unreadable: "too_slow" }, says: [/in time/] },
  ]);

  it("truncates a long path", () => {
    const { error } = errorBody({ code: "not_found", method: "GET", path: `/${"x".repeat(20_000)}` }, "");
    expect(error.message).to.have.length.below(400);
  });

  it("never echoes a key from a path", () => {
    const path = "/v1/geo/geo_sk_0001abcdefghijklmnopqrstuv_ABCDEFGHIJKLMNOPQRSTUV";
    const { message } = errorBody({ code: "not_found", method: "GET", path }, "").error;
    expect(message).to.include("geo_sk_…").and.not.include("abcdefgh");
  });
});
