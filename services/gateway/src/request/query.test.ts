import { expect } from "chai";
import { queryOf, requestedFields } from "./query.ts";

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
