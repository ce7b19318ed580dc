import { looseName, plainName } from "./compare-names.ts";
import { DIVIDED_NAMES, type DividedName } from "./divided-names.ts";

/** What is known about where in a country a place is. */
export interface Whereabouts {
  city: string | null;
  /** Degrees; both or neither. */
  latitude: number | null;
  longitude: number | null;
}

/** A name that means several regions. */
export interface DividedRegion {
  /** The code of the region that is the city of that name, and of the region around it; both null for other names. */
  city: string | null;
  around: string | null;
  /**
   * The code of the region in which a place is; null if nothing is known about it.
   * @param namedByCity the code of the region that has the same name as the place's city, if there is one.
   */
  codeAt(place: Whereabouts, namedByCity: string | null): string | null;
}

interface Point {
  code: string;
  latitude: number;
  longitude: number;
}

/** The withdrawn codes of a country whose regions were divided. */
export function dividedCodesOf(country: string): [code: string, region: DividedRegion][] {
  return DIVIDED_NAMES.filter((divided) => divided.country === country).flatMap((divided) => {
    const region = dividedRegion(divided);
    return (divided.codes?.split(" ") ?? []).map((code): [string, DividedRegion] => [code, region]);
  });
}

/** The divided names of a country, as `plainName` and `looseName` make them. */
export function dividedRegionsOf(country: string): ReadonlyMap<string, DividedRegion> {
  return new Map(
    DIVIDED_NAMES.filter((divided) => divided.country === country).flatMap((divided) => {
      const region = dividedRegion(divided);
      return namesOf(divided).flatMap((name) => [[name, region] as const, [looseName(name), region] as const]);
    }),
  );
}

function namesOf({ names }: Pick<DividedName, "names">): string[] {
  return names?.split(" | ") ?? [];
}

function dividedRegion({ points, ...pair }: DividedName): DividedRegion {
  const city = pair.city ?? null;
  const around = pair.around ?? null;
  const ownNames = new Set(namesOf(pair).flatMap((name) => [name, `${name} city`]));
  const all = points.split("; ").flatMap(parsePoints);
  const codes: ReadonlySet<string | null> = new Set(all.map(({ code }) => code));
  return {
    city,
    around,
    codeAt(place, namedByCity) {
      const { latitude, longitude } = place;
      if (city !== null && place.city !== null) {
        const isCity = ownNames.has(plainName(place.city));
        if (!isCity && pair.usual !== undefined) return pair.usual;
        // Some vendors give a province's middle the name of its city.
        if (isCity && (pair.usual !== around || latitude === null)) return city;
      }
      if (city === null && codes.has(namedByCity)) return namedByCity;
      if (latitude !== null && longitude !== null) return nearest(all, latitude, longitude);
      return place.city === null ? null : around;
    },
  };
}

function parsePoints(text: string): Point[] {
  const [code = "", ...towns] = text.split(" ");
  return towns.map((town) => {
    const [latitude, longitude] = town.split(",").map(Number);
    return { code, latitude, longitude } as Point;
  });
}

/** By flat geometry, which is exact enough within a country. */
function nearest(points: readonly Point[], latitude: number, longitude: number): string | null {
  let code: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const point of points) {
    const north = point.latitude - latitude;
    const east = (point.longitude - longitude) * Math.cos(((point.latitude + latitude) / 2) * (Math.PI / 180));
    const distance = north * north + east * east;
    if (distance < least) {
      least = distance;
      code = point.code;
    }
  }
  return code;
}
