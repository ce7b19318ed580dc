import { expect } from "chai";
import { nearestZone } from "./nearest-zone.ts";
import { zonesByPolygon } from "./polygon-zones.ts";
import { timezoneOfRecord } from "./timezone-table.ts";

type Town = [name: string, country: string, latitude: number, longitude: number, zone: string | null];

/** Their zones by law, from the pages of their governments. */
const TOWNS: readonly Town[] = [
  ["Renmark, South Australia, near Victoria", "AU", -34.17, 140.75, "Australia/Adelaide"],
  ["Nelson, Victoria, near South Australia", "AU", -38.05, 141.01, "Australia/Melbourne"],
  ["Campbellton, New Brunswick, near Quebec", "CA", 48, -66.67, "America/Moncton"],
  ["Dégelis, Quebec, near New Brunswick", "CA", 47.55, -68.64, "America/Toronto"],
  ["Aparecida do Taboado, Mato Grosso do Sul", "BR", -20.09, -51.09, "America/Campo_Grande"],
  ["West Wendover, Nevada, on Utah's time", "US", 40.739, -114.073, "America/Denver"],
  ["Ciudad Juárez, across the river from El Paso", "MX", 31.69, -106.42, "America/Ciudad_Juarez"],
  ["El Paso", "US", 31.76, -106.49, "America/Denver"],
  ["Büsingen, surrounded by Switzerland", "DE", 47.696, 8.689, "Europe/Busingen"],
  ["off the coast of New Jersey", "US", 39.5, -73, "America/New_York"],
  ["Brussels, though the country is Australia", "AU", 50.85, 4.35, null],
];

describe("time zones by polygon", () => {
  it("are right for towns near zone borders, in any order", () => {
    for (const towns of [TOWNS, TOWNS.toReversed()]) {
      const table = zonesByPolygon({
        records: Uint32Array.from(towns, (_, index) => 10 * index + 7),
        countries: towns.map(([, country]) => country),
        latitudes: Float64Array.from(towns, ([, , latitude]) => latitude),
        longitudes: Float64Array.from(towns, ([, , , longitude]) => longitude),
      });
      for (const [index, [name, , , , zone]] of towns.entries())
        expect(timezoneOfRecord(table, 10 * index + 7), name).to.equal(zone);
      for (const missing of [0, 6, 8, 1_000]) expect(timezoneOfRecord(table, missing)).to.equal(null);
    }
  });

  it("are needed: the grid is wrong about some of these towns", () => {
    const wrong = TOWNS.filter(
      ([, country, latitude, longitude, zone]) => nearestZone(country, latitude, longitude) !== zone,
    );
    expect(wrong.map(([name]) => name.split(",")[0])).to.include.members(["Renmark", "Campbellton"]);
  });
});
