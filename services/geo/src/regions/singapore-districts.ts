import { plainName } from "./compare-names.ts";
import type { Whereabouts } from "./divided-name.ts";

/**
 * Towns and planning areas of Singapore by the district of ISO 3166-2 that they are in, as DB-IP's data names them, with a point
 * in each. The districts consist of constituencies, whose boundaries move. Listed are only those that were wholly in
 * constituencies of one district in the elections of 2020 and of 2025 (reports of the Electoral Boundaries Review
 * Committee). Bedok, Bukit Merah, Clementi, Geylang, Hougang, Sengkang and others are divided. So is the west of Queenstown:
 * its point is in the east.
 */
export const SINGAPORE_TOWNS: Readonly<Record<string, string>> = {
  "01":
    "amk 1.38,103.85; ang mo kio 1.38,103.84; bishan 1.355,103.84; bugis 1.3,103.855; downtown core 1.284,103.851; museum 1.295,103.848; " +
    "newton 1.31,103.838; novena 1.317,103.844; orchard 1.302,103.837; outram 1.283,103.843; queenstown estate 1.291,103.81; " +
    "river valley 1.296,103.836; rochor 1.304,103.852; singapore river 1.288,103.845; tanglin halt 1.301,103.798; " +
    "tanjong pagar 1.28,103.836; toa payoh new town 1.336,103.85; yio chu kang 1.391,103.851",
  "02": "kampong pasir ris 1.378,103.932; pasir ris new town 1.372,103.95; punggol 1.41,103.906; tampines 1.354,103.942",
  "03":
    "bukit panjang new town 1.38,103.765; marsiling 1.433,103.774; nee soon estate 1.403,103.818; " +
    "sembawang estate 1.451,103.829; woodlands 1.438,103.789; yishun new town 1.433,103.831",
  "04": "macpherson 1.327,103.884",
  "05":
    "boon lay 1.311,103.694; jurong east 1.33,103.744; jurong town 1.334,103.723; jurong west 1.35,103.723; " +
    "kampong java teban 1.333,103.733; pioneer 1.321,103.695; tuas 1.335,103.637; west coast village 1.317,103.75",
};

/** Addresses that are farther from the point of their town have contradictory data. */
const MAX_KM = 2;
const KM_PER_DEGREE = 111.2;

const TOWNS = new Map(
  Object.entries(SINGAPORE_TOWNS).flatMap(([code, towns]) =>
    towns.split("; ").map((town) => {
      const [, name = "", latitude, longitude] = /^(.+) ([\d.]+),([\d.]+)$/.exec(town) ?? [];
      return [name, { code, latitude: Number(latitude), longitude: Number(longitude) }] as const;
    }),
  ),
);

/**
 * The code of the district of a place in Singapore, for which DB-IP's data has no regions.
 * @param place with the city as in the data: "Singapore (Novena)" or "Novena".
 * @returns null where the town isn't known or not wholly in one district, such as "Singapore".
 */
export function singaporeDistrictOf({ city, latitude, longitude }: Whereabouts): string | null {
  if (city === null || latitude === null || longitude === null) return null;
  const town = TOWNS.get(plainName(/^Singapore \((.+)\)$/.exec(city)?.[1] ?? city));
  if (town === undefined) return null;
  // Near the equator, a degree of longitude is as long as one of latitude.
  const distanceKm = Math.hypot(town.latitude - latitude, town.longitude - longitude) * KM_PER_DEGREE;
  return distanceKm <= MAX_KM ? town.code : null;
}
