/**
 * Cities whose official name ends in parentheses, by country, as DB-IP spells them (without diacritics). Reviewed against the
 * register of German municipalities and GeoNames; city-without-district.test.ts compares the list with GeoNames.
 */
export const OFFICIAL_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ["AT", ["Sankt Josef (Weststeiermark)"]],
  [
    "DE",
    [
      "Brake (Unterweser)",
      "Frankfurt (Oder)",
      "Freiburg (Elbe)",
      "Halle (Saale)",
      "Halle (Westf.)",
      "Hamm (Sieg)",
      "Hennef (Sieg)",
      "Kelkheim (Taunus)",
      "Kempten (Allgau)",
      "Neustadt (Hessen)",
      "Rotenburg (Wumme)",
      "Schwedt (Oder)",
      "Wetter (Ruhr)",
      "Winsen (Aller)",
    ],
  ],
]);

/** In Switzerland, the official name has the canton where there is another municipality of that name: "Rickenbach (LU)". */
const SWISS_CANTON = /^[^()]+ \([A-Z]{2}\)/;

/**
 * A city of DB-IP's data without the district that it writes in parentheses: "Vienna (Leopoldstadt)" is Vienna. What belongs to
 * the official name stays: "Frankfurt (Oder) (Markendorf)" is Frankfurt (Oder).
 * @param country ISO 3166-1 alpha-2.
 */
export function cityWithoutDistrict(country: string, city: string): string {
  const start = city.indexOf(" (");
  if (start <= 0) return city;
  const official = OFFICIAL_NAMES.get(country)?.find((name) => city.startsWith(name));
  if (official !== undefined) return official;
  return (country === "CH" && SWISS_CANTON.exec(city)?.[0]) || city.slice(0, start);
}
