import { expect } from "chai";
import { reportOf, writeDatabase } from "../testing/report-files.ts";

const regionOf = (country: string, name?: string, code?: string) => ({
  country: { iso_code: country },
  ...(name === undefined ? {} : { subdivisions: [{ names: { en: name }, ...(code ? { iso_code: code } : {}) }] }),
});

describe("a report's region codes", () => {
  it("counts networks with a code in countries that have codes, and names the regions without", async () => {
    const database = await writeDatabase("GeoLite2-City", [
      ["20.0.0.0/24", regionOf("NZ", "Auckland", "AUK")],
      ["20.0.1.0/24", regionOf("NZ", "Otago")],
      ["20.0.2.0/25", regionOf("NZ", "Nowhere")],
      ["20.0.3.0/25", regionOf("NZ", "Nowhere")],
      ["2a00::/48", regionOf("NZ", "Nowhere")],
      ["20.0.4.0/24", regionOf("SG")],
      // Gibraltar and the Isle of Man have no codes in ISO 3166-2.
      ["20.0.5.0/24", regionOf("GI")],
      ["20.0.6.0/24", regionOf("IM", "Douglas")],
    ]);
    expect(reportOf({ loaded: [database] }).regionCodes).to.deep.equal({
      all: {
        ipv4: { total: [5, 1_024], known: [2, 512], unnamed: [1, 256] },
        ipv6: { total: [1, 1], known: [0, 0], unnamed: [0, 0] },
      },
      missing: [
        { country: "NZ", region: "Nowhere", ipv4: [2, 256], ipv6: [1, 1] },
        { country: "SG", region: null, ipv4: [1, 256], ipv6: [0, 0] },
      ],
    });
  });
});
