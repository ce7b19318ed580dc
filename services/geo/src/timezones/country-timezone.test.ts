import lookUpTimezone from "@photostructure/tz-lookup";
import { expect } from "chai";
import { iso31661 } from "iso-3166";
import { timezoneOfCountry } from "./country-zones.ts";

describe("the time zone of a country", () => {
  // Coordinates of capitals or largest cities; the zone there, from the boundaries of the time zones.
  const capitals: Record<string, [number, number]> = {
    AR: [-34.6, -58.38],
    CY: [35.17, 33.36],
    DE: [52.52, 13.4],
    ER: [15.34, 38.93],
    FO: [62.01, -6.77],
    FR: [48.86, 2.35],
    GB: [51.5, -0.12],
    IN: [28.61, 77.21],
    JP: [35.68, 139.69],
    KZ: [43.24, 76.89],
    MH: [7.1, 171.37],
    MM: [16.87, 96.2],
    MY: [3.14, 101.69],
    NP: [27.72, 85.32],
    PS: [31.9, 35.2],
    SE: [59.33, 18.07],
    UZ: [41.3, 69.24],
    VN: [10.82, 106.63],
    XK: [42.66, 21.17],
  };
  for (const [country, [latitude, longitude]] of Object.entries(capitals))
    it(`is that of its capital: ${country}`, () => {
      expect(timezoneOfCountry(country)).to.equal(lookUpTimezone(latitude, longitude));
    });

  for (const country of ["US", "CA", "RU", "BR", "AU", "MX", "ES", "PT", "CN", "ID", "NZ", "UA", "AQ"])
    it(`is null for a country with several: ${country}`, () => {
      expect(timezoneOfCountry(country)).to.equal(null);
    });

  for (const country of ["ZZ", "EU", "", "de", "Germany"])
    it(`is null for an invalid country: ${JSON.stringify(country)}`, () => {
      expect(timezoneOfCountry(country)).to.equal(null);
    });

  it("has the same time as all zones of the country, all year", () => {
    const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 15));
    const times = (timeZone: string) =>
      months.map((month) => new Date(month).toLocaleString("en-US", { timeZone })).join();
    for (const { alpha2 } of iso31661) {
      const timezone = timezoneOfCountry(alpha2);
      if (timezone === null) continue;
      for (const other of new Intl.Locale("und", { region: alpha2 }).getTimeZones() ?? [])
        expect(times(timezone), `${alpha2}: ${timezone}, ${other}`).to.equal(times(other));
    }
  });

  it("has a name in the current time zone database", () => {
    for (const { alpha2 } of iso31661)
      expect(timezoneOfCountry(alpha2)).to.not.match(/^Asia\/(Calcutta|Katmandu|Rangoon|Saigon)$/);
  });
});
