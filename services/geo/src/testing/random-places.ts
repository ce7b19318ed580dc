import { double, type MmdbValue } from "../mmdb/value.ts";

/** A place as a database states it. */
export interface RandomPlace {
  country: string;
  region?: string;
  /** Of the region. */
  code?: string;
  city?: string;
  postalCode?: string;
  timezone?: string;
  /** Degrees of at most 4 places; both or neither. */
  latitude?: number;
  longitude?: number;
}

const TIMEZONES: Readonly<Record<string, readonly string[]>> = {
  FR: ["Europe/Paris"],
  DE: ["Europe/Berlin"],
  US: ["America/New_York", "America/Chicago"],
  GB: ["Europe/London"],
};
const CODED = [
  { region: "Ink Land", code: "IK" },
  { region: "Île Ink", code: "IL" },
  { region: "Ink Lands", code: "IK" },
];
/** No region of these countries has such a name, so that there is no code to find. */
const NAMED = [{ region: "Pen Land" }, { region: "PÈN LAND" }, { region: "Quill Land" }, { region: "Ink Land" }];
const CITIES = ["Saint Ink", "SAINT-INK", "Saint Înk", "Nib Town"];

/** The same numbers from 0 to 1 for the same seed (a linear congruential generator). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Invented places of which many differ in some fields only, or in their spelling. */
export function randomPlace(random: () => number): RandomPlace {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const maybe = <Item extends object>(item: Item) => (random() < 0.85 ? item : {});
  const country = pick(Object.keys(TIMEZONES));
  if (random() < 0.1) return { country };
  return {
    country,
    timezone: pick(TIMEZONES[country] as readonly string[]),
    ...maybe(pick([...CODED, ...NAMED])),
    ...maybe({ city: pick(CITIES) }),
    ...maybe({ postalCode: pick(["1000", "2000"]) }),
    ...maybe({ latitude: pick([-89.5, 0, 12.5, 48.1234, 48.2]), longitude: pick([-179.9, 0, 2.5, 179.9]) }),
  };
}

/** A place as MaxMind lays it out. */
export function recordOf({ country, region, code, city, postalCode, timezone, ...degrees }: RandomPlace): MmdbValue {
  const { latitude, longitude = 0 } = degrees;
  return {
    country: { iso_code: country },
    ...(region === undefined ? {} : { subdivisions: [{ ...(code ? { iso_code: code } : {}), names: { en: region } }] }),
    ...(city === undefined ? {} : { city: { names: { en: city } } }),
    ...(postalCode === undefined ? {} : { postal: { code: postalCode } }),
    location: {
      ...(timezone === undefined ? {} : { time_zone: timezone }),
      ...(latitude === undefined ? {} : { latitude: double(latitude), longitude: double(longitude) }),
    },
  };
}

/** The place of such a record. */
export function placeIn(record: unknown): RandomPlace | null {
  const at = (...path: (string | number)[]) =>
    path.reduce((part, key) => (part as Record<string | number, unknown> | undefined)?.[key], record);
  if (record === null) return null;
  const place = {
    country: at("country", "iso_code"),
    region: at("subdivisions", 0, "names", "en"),
    code: at("subdivisions", 0, "iso_code"),
    city: at("city", "names", "en"),
    postalCode: at("postal", "code"),
    timezone: at("location", "time_zone"),
    latitude: at("location", "latitude"),
    longitude: at("location", "longitude"),
  };
  return place as RandomPlace;
}

/** Different networks of both families, many of them inside one another. */
export function randomNetworks(random: () => number, count: number): string[] {
  const networks = new Set<string>();
  while (networks.size < count) {
    const [first = 0, second = 0, third = 0] = [random(), random(), random()].map((part) => Math.floor(part * 256));
    const block = 1 + (first % 9);
    networks.add(`${block}.0.0.0/8`).add(`${block}.${second % 64}.0.0/16`);
    networks.add(`${block}.${second % 64}.${third}.0/${random() < 0.8 ? 24 : 26}`);
    networks.add(`2a${(first % 8).toString(16).padStart(2, "0")}::/16`);
    networks.add(`2a${(second % 8).toString(16).padStart(2, "0")}:${third.toString(16)}::/${random() < 0.5 ? 32 : 50}`);
  }
  return [...networks];
}
