import { expect } from "chai";
import type { Geolookup } from "./geolookup.ts";
import { createNextGeo } from "./next.ts";

const FORGED = encodeURIComponent(JSON.stringify({ city: "Forged" }));

/** Returns the visitor as the record. */
const geolookup: Geolookup = { locate: async (_request: unknown, visitor?: { ip: string | null }) => visitor ?? {} };

describe("createNextGeo", () => {
  const request = (headers: Record<string, string>) => new Request("http://shop.test", { headers });

  for (const [what, forwarded, options, ip] of [
    ["the entry of the proxy in front", "51.7.0.9, 44.1.2.3", {}, "44.1.2.3"],
    ["the entry before the CDN's", "51.7.0.9, 44.1.2.3, 10.0.0.1", { trustProxy: ["10.0.0.0/8"] }, "44.1.2.3"],
    ["found in another way", "44.1.2.3", { ip: () => "51.7.0.9" }, "51.7.0.9"],
    ["unknown without the header", "", {}, null],
    ["unknown if the entry is invalid", "44.1.2.3, unknown", {}, null],
  ] as const)
    it(`the visitor is ${what}`, async () => {
      const located = await createNextGeo(geolookup, options).locate(request({ "X-Forwarded-For": forwarded }));
      expect(located).to.deep.equal({ ip });
    });

  it("passes the record to pages, and replaces a forged one that the visitor sent", async () => {
    const geo = createNextGeo(geolookup);
    const sent = request({ "X-Forwarded-For": "44.1.2.3", "X-Geolookup-Record": FORGED, Accept: "text/html" });
    const headers = await geo.headersFor(sent);
    expect(headers.get("accept")).to.equal("text/html");
    expect(geo.read(headers)).to.deep.equal({ ip: "44.1.2.3" });
    expect(geo.read(new Headers())).to.equal(null);
    expect(geo.read(new Headers({ "x-geolookup-record": "{" }))).to.equal(null);
  });
});
