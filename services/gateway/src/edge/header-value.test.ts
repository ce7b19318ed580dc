import { expect } from "chai";
import fc from "fast-check";
import { HEADER_OF } from "./edge-config.ts";
import { headerValue } from "./edge-record.ts";

describe("values of the edge port's headers", () => {
  for (const [field, value, geo, cloudflare] of [
    ["city", "Zürich", "Z%C3%BCrich", "Z\xc3\xbcrich"],
    ["city", "東京", "%E6%9D%B1%E4%BA%AC", "\xe6\x9d\xb1\xe4\xba\xac"],
    ["city", "New York", "New%20York", "New York"],
    ["city", "100%", "100%25", "100%"],
    ["timezone", "America/New_York", "America/New_York", "America/New_York"],
    ["languages", ["de", "fr"], "de,fr", "de,fr"],
    ["isEUCountry", false, "false", "false"],
    ["asn", 64500, "64500", "64500"],
    ["country", null, "XX", "XX"],
    ["continent", null, "-", "-"],
    ["city", null, "-", "-"],
    ["city", " \r\n", "-", "-"],
    ["city", "A\r\nSet-Cookie: a=b\u0085\u2028", "A%20Set-Cookie:%20a=b", "A Set-Cookie: a=b"],
    ["city", "\ud800", "%EF%BF%BD", "\xef\xbf\xbd"],
  ] as const)
    it(`${field} ${JSON.stringify(value)}`, () => {
      expect(headerValue("geo", field, value)).to.equal(geo);
      expect(headerValue("cloudflare", field, value)).to.equal(cloudflare);
    });

  it("every printable ASCII character: geo percent-encodes as encodeURI does, cloudflare sends it as it is", () => {
    for (let code = 0x21; code <= 0x7e; code++) {
      const character = String.fromCharCode(code);
      expect(headerValue("geo", "city", character)).to.equal(encodeURI(character));
      expect(headerValue("cloudflare", "city", character)).to.equal(character);
    }
  });

  it("any text: visible bytes in both presets, and percent-encoding that decodes to the text", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (units) => {
        const text = String.fromCharCode(...units).toWellFormed();
        const value = headerValue("geo", "city", String.fromCharCode(...units));
        expect(value).to.match(/^[!-~]+$/);
        const shown = text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
        expect(decodeURIComponent(value)).to.equal(shown === "" ? "-" : shown);
        const bytes = Buffer.from(headerValue("cloudflare", "city", text), "latin1");
        expect(bytes.some((byte) => byte < 32 || byte === 127)).to.equal(false);
      }),
    );
  });

  it("have names in Go's canonical form in the preset geo", () => {
    const names = Object.values(HEADER_OF.geo);
    expect(names).to.include.members(["X-Geo-Ip", "X-Geo-Is-Eu-Country", "X-Geo-As-Organization", "X-Geo-Region-Code"]);
    for (const name of names) expect(name).to.match(/^X(-[A-Z][a-z]*)+$/);
  });
});
