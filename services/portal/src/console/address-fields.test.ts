import type { Place } from "@geolookup/shared/domain/record.ts";
import type { ExplainResponse__Output } from "@geolookup/shared/generated/geolookup/geo/v1/ExplainResponse.ts";
import type { Located__Output as Located } from "@geolookup/shared/generated/geolookup/geo/v1/Located.ts";
import { expect } from "chai";
import { explainFields, type LocatedField } from "./address-fields.ts";

const located = (place: Partial<Place>, reason = "FOUND") => ({ record: JSON.stringify(place), reason }) as Located;

function explain(options: {
  result: Located;
  sources?: [name: string, place: Partial<Place>, prefix?: string][];
  never?: string[];
}): (name: LocatedField) => string {
  const { result, sources = [], never = [] } = options;
  const found: ExplainResponse__Output = {
    result,
    sources: sources.map(([name, place, prefix = ""]) => ({ name, prefix, located: located(place) })),
  };
  const fields = explainFields(found, new Set(never));
  return (name) => {
    const field = fields.find((each) => each.name === name);
    return `${field?.value}: ${field?.because}`;
  };
}

describe("explainFields", () => {
  it("explains why every field is null", () => {
    for (const [reason, because] of [
      ["NON_PUBLIC", /^null: The address isn't public/],
      ["NOT_FOUND", /^null: No database contains this address/],
      ["FAILED", /^null: The lookup failed/],
    ] as const)
      expect(explain({ result: located({}, reason) })("city")).to.match(because);
  });

  it("names the first source with the value, or what the value is derived from", () => {
    const of = explain({
      result: located({
        country: "FR",
        city: "Rennes",
        isEUCountry: true,
        languages: ["fr"],
        asn: 64501,
        timezone: "X",
      }),
      sources: [
        ["city.mmdb", { country: "FR", city: "Paris" }],
        ["asn.mmdb", { asn: 64501 }],
        ["feed.csv", { country: "FR", city: "Rennes" }, "51.7.4.0/24"],
      ],
    });
    expect(of("city")).to.equal("Rennes: feed.csv");
    expect(of("asn")).to.equal("64501: asn.mmdb");
    expect(of("isEUCountry")).to.equal("true: Derived from the country");
    expect(of("languages")).to.equal("fr: Derived from the country");
    expect(of("timezone")).to.equal("X: Derived from the other fields");
    expect(of("postalCode")).to.equal("null: The databases have no value for this address");
    expect(of("metroCode")).to.equal("null: Only used in the United States");
  });

  it("explains why a database's value isn't used", () => {
    const result = located({ country: "FR", asn: 1 });
    const other: [string, Partial<Place>] = ["b.mmdb", { country: "DE", city: "Köln", asn: 2, asOrganization: "B" }];
    const of = explain({ result, sources: [["a.mmdb", { country: "FR", asn: 1 }], other] });
    expect(of("city")).to.equal("null: b.mmdb has Köln, but for another country (DE)");
    expect(of("asOrganization")).to.equal("null: b.mmdb has B, but for another network");
    const corrected = explain({ result, sources: [other, ["feed.csv", { country: "FR" }, "51.7.4.0/24"]] });
    expect(corrected("city")).to.equal("null: b.mmdb has Köln, but the geofeed feed.csv has another location");
  });

  it("explains fields that the data never has", () => {
    const of = explain({ result: located({ country: "SG", city: "Singapore" }), never: ["postalCode"] });
    expect(of("region")).to.equal("null: SG has no regions");
    expect(of("postalCode")).to.equal("null: The databases in use lack this field");
    const region = explain({ result: located({ country: "FR", region: "Atlantis" }) });
    expect(region("regionCode")).to.equal("null: ISO 3166-2 has no region with this name");
    const nowhere = explain({ result: located({ asn: 1 }) });
    expect(nowhere("currency")).to.equal("null: The country is unknown, and no database has a value");
  });
});
