import { expect } from "chai";
import { mismatches } from "./openapi.ts";

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Geolookup-Notice, X-Geolookup-Accuracy",
};
const RECORD = {
  status: 200,
  headers: {
    ...CORS,
    ...{ "x-ratelimit-limit": "60", "x-ratelimit-remaining": "59", "x-ratelimit-reset": "1796083200" },
    ...{ "cache-control": "private, max-age=300", vary: "Origin, Authorization, X-API-Key" },
    ...{ "content-type": "application/json; charset=utf-8", date: "Sat, 21 Nov 2026 16:00:00 GMT" },
  },
  text: '{"country":"US","countryName":"United States","continent":null,"partial":true}',
};
const NOT_FOUND = {
  status: 404,
  headers: { ...CORS, "cache-control": "no-store", "content-type": "application/json; charset=utf-8" },
  text: '{"error":{"code":"not_found","message":"No.","docs":"https://docs.example.com/errors/not_found"}}',
};
const without = (name: string) =>
  Object.fromEntries(Object.entries(RECORD.headers).filter(([other]) => other !== name));
const withHeader = (name: string, value: string) => ({ ...RECORD, headers: { ...RECORD.headers, [name]: value } });

describe("mismatches", () => {
  it("finds none in responses that match the description", () => {
    expect(mismatches({}, RECORD)).to.deep.equal([]);
    expect(mismatches({ path: "/?fields=country" }, RECORD)).to.deep.equal([]);
    expect(mismatches({ method: "HEAD" }, { ...RECORD, text: "" })).to.deep.equal([]);
    expect(mismatches({ path: "/elsewhere", method: "POST" }, NOT_FOUND)).to.deep.equal([]);
  });

  for (const [what, sent, response, problem] of [
    ["a status that the operation does not have", {}, { ...RECORD, status: 201 }, "status 201"],
    ["a record elsewhere", { path: "/elsewhere" }, RECORD, "status 200"],
    ["a header that is missing", {}, { ...RECORD, headers: without("x-ratelimit-limit") }, "X-RateLimit-Limit"],
    ["a header that is wrong", {}, withHeader("x-ratelimit-reset", "soon"), "X-RateLimit-Reset"],
    ["a header that is not described", {}, withHeader("x-powered-by", "Express"), "x-powered-by"],
    ["another content type", {}, withHeader("content-type", "text/html"), "text/html"],
    ["a field that is not described", {}, { ...RECORD, text: '{"color":"red"}' }, "additional"],
    ["a field of another type", {}, { ...RECORD, text: '{"country":7}' }, "country"],
    ["a partial that is not true", {}, { ...RECORD, text: '{"partial":false}' }, "partial"],
    ["a body for HEAD", { method: "HEAD" }, RECORD, "body"],
    [
      "a code of another status",
      {},
      { ...NOT_FOUND, text: NOT_FOUND.text.replace("not_found", "revoked_key") },
      "code",
    ],
  ] as const)
    it(`finds ${what}`, () => {
      const problems = mismatches(sent, response);
      expect(problems.join("\n")).to.include(problem);
      expect(problems).to.have.length(1);
    });
});
