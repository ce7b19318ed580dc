import { expect } from "chai";
import { nearestZone } from "./nearest-zone.ts";

describe("the nearest time zone", () => {
  const CASES: [place: string, country: string | null, latitude: number, longitude: number, zone: string | null][] = [
    ["Dili, where the grid has an Indonesian zone", "TL", -8.56, 125.56, "Asia/Dili"],
    ["Pago Pago", "AS", -14.28, -170.7, "Pacific/Pago_Pago"],
    ["Jayapura, where it has one of Papua New Guinea", "ID", -2.533, 140.717, "Asia/Jayapura"],
    ["Saint-Pierre", "PM", 46.78, -56.17, "America/Miquelon"],
    ["off the coast of New Jersey", "US", 39.5, -73, "America/New_York"],
    ["Attu, beyond 180° east", "US", 52.9, 172.9, "America/Adak"],
    ["Vostok station", "AQ", -78.46, 106.84, "Antarctica/Vostok"],
    ["Brussels, though the country is Australia", "AU", 50.85, 4.35, null],
    ["Brussels, though the country is New Caledonia, which has one zone", "NC", 50.85, 4.35, "Pacific/Noumea"],
    ["an island without a zone", "BV", -54.42, 3.36, null],
    ["Brussels, without a country", null, 50.85, 4.35, "Europe/Brussels"],
    ["the Atlantic, without a country", null, 30, -40, null],
  ];
  for (const [place, country, latitude, longitude, zone] of CASES)
    it(`is one of the country's: ${place}`, () => {
      expect(nearestZone(country, latitude, longitude)).to.equal(zone);
    });
});
