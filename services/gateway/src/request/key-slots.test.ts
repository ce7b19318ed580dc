import { expect } from "chai";
import { queryOf, readKeySlots, requestedFields } from "./key-slots.ts";

describe("readKeySlots", () => {
  const key = (slot: string, text: string) => ({ kind: "key", slot, key: text });
  const empty = (slot: string) => ({ kind: "empty", slot });
  const cases: readonly (readonly [query: string, headers: Record<string, string>, expected: object])[] = [
    ["", {}, { kind: "none" }],
    ["other=1", {}, { kind: "none" }],
    ["key=a", {}, key("query", "a")],
    ["key=a", { authorization: "Bearer b", "x-api-key": "c" }, key("query", "a")],
    ["", { authorization: "Bearer b", "x-api-key": "c" }, key("bearer", "b")],
    ["", { "x-api-key": "c" }, key("header", "c")],
    ["key=", { authorization: "Bearer b" }, key("bearer", "b")],
    ["key=", { authorization: "Bearer", "x-api-key": "c" }, key("header", "c")],
    ["key=", {}, empty("query")],
    ["", { authorization: "Bearer" }, empty("bearer")],
    ["", { authorization: "" }, empty("bearer")],
    ["", { "x-api-key": "" }, empty("header")],
    ["", { authorization: "bearer b" }, key("bearer", "b")],
    ["", { authorization: "BEARER \t b" }, key("bearer", "b")],
    ["", { authorization: "Basic Zm9v" }, { kind: "none" }],
    ["", { authorization: "Bearerb" }, { kind: "none" }],
    ["", { authorization: "Basic Zm9v", "x-api-key": "c" }, key("header", "c")],
    ["key=a&key=b", {}, { kind: "given_twice" }],
    ["key=a&key=a", {}, { kind: "given_twice" }],
    ["key=&key=", {}, { kind: "given_twice" }],
    ["Key=a", {}, { kind: "none" }],
    ["key[]=a", {}, { kind: "none" }],
    ["key=%zz", {}, key("query", "%zz")],
    ["key=%20", {}, key("query", " ")],
  ];
  for (const [query, headers, expected] of cases) {
    it(`?${query} ${JSON.stringify(headers)}`, () =>
      expect(readKeySlots(new URLSearchParams(query), headers)).to.deep.equal(expected));
  }
  it("accepts a request without a query", () => expect(readKeySlots(null, {})).to.deep.equal({ kind: "none" }));
});

describe("queryOf", () => {
  for (const [target, key, fields] of [
    ["/v1/geo?key=geo_pk_1&fields=city,asn", ["geo_pk_1"], ["city,asn"]],
    ["/?key=a&key=b", ["a", "b"], []],
    ["/?key", [""], []],
    ["/?&&key=a?b&", ["a?b"], []],
    ["/?key=%41+b", ["A b"], []],
    ["/?", [], []],
  ] as const)
    it(target, () => {
      const query = queryOf(target);
      expect([query?.getAll("key"), query?.getAll("fields")]).to.deep.equal([key, fields]);
    });

  it("is null without a query", () => expect(queryOf("/v1/geo")).to.equal(null));
});

describe("requestedFields", () => {
  const cases: readonly (readonly [query: string, names: string[] | null])[] = [
    ["", null],
    ["fields=", null],
    ["fields=,%20,", null],
    ["fields=city", ["city"]],
    ["fields=city,%20country%20,", ["city", "country"]],
    ["fields=city&fields=asn,ip", ["city", "asn", "ip"]],
    ["fields=&fields=asn", ["asn"]],
    ["fields=City", ["City"]],
  ];
  for (const [query, names] of cases) {
    it(`?${query}`, () => {
      const requested = requestedFields(new URLSearchParams(query));
      expect(requested && [...requested]).to.deep.equal(names);
    });
  }
});
