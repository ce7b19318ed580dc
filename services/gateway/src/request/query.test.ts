import { randomInt } from "node:crypto";
import { expect } from "chai";
import { queryOf, requestedFields } from "./query.ts";

const NAMES = ["key", "fields", "k"];
const PARTS = [
  "key",
  "fields",
  "k",
  "keys",
  "=",
  "==",
  "&",
  "&&",
  "?",
  "#",
  "a,b",
  "geo_pk_1",
  "%41",
  "%",
  "+",
  "Key",
  ";",
];

describe("queryOf", () => {
  for (const [target, key, fields] of [
    ["/v1/geo?key=geo_pk_1", ["geo_pk_1"], []],
    ["/v1/geo?key=geo_pk_1&fields=city,asn", ["geo_pk_1"], ["city,asn"]],
    ["/?fields=city&key=a&key=b", ["a", "b"], ["city"]],
    ["/?key", [""], []],
    ["/?key=", [""], []],
    ["/?key==a=", ["=a="], []],
    ["/?monkey=a&keys=b&Key=c", [], []],
    ["/?&&key=a?b&", ["a?b"], []],
    ["/?key=%41+b", ["A b"], []],
    ["/?%6bey=a", ["a"], []],
    ["/?", [], []],
  ] as const)
    it(target, () => {
      const query = queryOf(target);
      expect([query?.getAll("key"), query?.getAll("fields")]).to.deep.equal([key, fields]);
    });

  it("is null without a query", () => expect(queryOf("/v1/geo")).to.equal(null));

  it("reads any query as URLSearchParams does", () => {
    for (let times = 0; times < 20_000; times++) {
      const text = Array.from({ length: randomInt(8) }, () => PARTS[randomInt(PARTS.length)]).join("");
      const [query, expected] = [queryOf(`/?${text}`), new URLSearchParams(text)];
      for (const name of NAMES) expect(query?.getAll(name), `${name} in ${text}`).to.deep.equal(expected.getAll(name));
    }
  });
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
