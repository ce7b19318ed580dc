import { FIELDS, type Place } from "@geolookup/shared/domain/record.ts";
import { recordText } from "@geolookup/shared/domain/record-text.ts";
import { expect } from "chai";
import fc from "fast-check";
import { type EdgeConfig, HEADER_OF } from "./edge-config.ts";
import { createEdgeRecords, headerValue } from "./edge-record.ts";
import { PLACE } from "./testing/small-edge.ts";

const PRESETS = ["geo", "cloudflare"] as const;

const recordsOf = (config: Pick<EdgeConfig, "preset" | "fields">) =>
  createEdgeRecords({
    ...{ host: "", port: 0, grpcPort: null, cacheSeconds: null, token: null, rules: null, isExempt: () => false },
    ...config,
  });

/** The fields that have a header, except the address. */
const fieldsOf = (preset: EdgeConfig["preset"]) =>
  FIELDS.filter((field) => HEADER_OF[preset][field] !== undefined && field !== "ip") as (keyof Place)[];

const expectedHeaders = (preset: EdgeConfig["preset"], place: Place) =>
  fieldsOf(preset).flatMap((field) => [HEADER_OF[preset][field], headerValue(preset, field, place[field])]);

describe("headers of a record", () => {
  it("are the fields without the address, in their order", () => {
    const { headers, refusal } = recordsOf({ preset: "geo", fields: ["ip", "country", "city"] })(
      recordText(PLACE).members,
    );
    expect(headers).to.deep.equal(["X-Geo-Country", "CH", "X-Geo-City", "Z%C3%BCrich"]);
    expect(refusal).to.equal(null);
  });

  for (const preset of PRESETS)
    it(`${preset}: each has its field's value, whatever a database says`, () => {
      const recordOf = recordsOf({ preset, fields: fieldsOf(preset) });
      const texts = fc.oneof(
        fc.string({ unit: fc.constantFrom(...' "\\],[:{}%azé東\n\u2028') }),
        fc.string({ unit: "binary" }),
        fc.constantFrom("null", "n", "New York", " a", "a ", "a  b", "a,b", "a\\", "x".repeat(10_000)),
      );
      const anyText = fc.option(texts);
      const place = fc.record({
        ...{ country: anyText, countryName: anyText, region: anyText, city: anyText, postalCode: anyText },
        ...{ asOrganization: anyText, asn: fc.option(fc.nat()), isEUCountry: fc.option(fc.boolean()) },
        ...{
          latitude: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
          languages: fc.option(fc.array(texts)),
        },
      });
      fc.assert(
        fc.property(place, (found) => {
          const whole = { ...PLACE, ...found } as unknown as Place;
          expect(recordOf(recordText(whole).members).headers).to.deep.equal(expectedHeaders(preset, whole));
        }),
        { numRuns: 300 },
      );
    });

  it("of a text with other fields, another order or spaces, which another version of geo may send, are the same", () => {
    const recordOf = recordsOf({ preset: "geo", fields: FIELDS });
    const { members } = recordText(PLACE);
    const reversed = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(`{${members}}`)).reverse()));
    const spaced = JSON.stringify(JSON.parse(`{${members}}`), null, 1);
    for (const other of [`"new":["\\"]"],${members}`, `${members},"new":1`, reversed.slice(1, -1), spaced.slice(1, -1)])
      expect(recordOf(other).headers).to.deep.equal(expectedHeaders("geo", PLACE));
    expect(recordOf('"country":"CH"').headers.slice(0, 4)).to.deep.equal([
      ...["X-Geo-Country", "CH", "X-Geo-Country-Name", "-"],
    ]);
  });

  it("of a text that was cut off are refused", () => {
    const recordOf = recordsOf({ preset: "geo", fields: FIELDS });
    const { members } = recordText(PLACE);
    for (const cut of ['"country":"CH', '"country":', '"country":"\\', `${members.slice(0, -"null".length)}`])
      expect(() => recordOf(cut), cut).to.throw(SyntaxError);
  });
});
