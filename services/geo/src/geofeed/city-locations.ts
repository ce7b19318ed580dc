import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { keyOfCity, type NamedCity } from "../cities/city-name.ts";
import type { FindTask, FoundCities } from "../cities/find-cities-worker.ts";
import { MAX_DATABASE_BYTES } from "../databases/database.ts";
import type { OpenedFile } from "../databases/open-files.ts";
import { runWorker } from "../databases/run-worker.ts";
import { mergeFindings } from "../places/merge.ts";
import type { Finding } from "../schema/finding.ts";
import type { Correction } from "./correction.ts";
import type { NamedFeed } from "./geofeed.ts";

/** About 30 MB. More are placed without coordinates. */
const MAX_CITIES = 100_000;

/** Adds to a correction what the databases know about the city it names. */
export type Complete = (correction: Correction) => Correction;

/** What the databases in use have for the cities that geofeeds name. */
export interface CityLocations {
  /** Whether other databases are in use than at the last `locate`. */
  isOutdated(): boolean;
  /** Finds the cities in a separate thread; those found before only if other databases are in use. Never throws. */
  locate(feeds: readonly NamedFeed[]): Promise<Complete>;
}

/**
 * @param files the databases in use, in order of priority.
 * @param signal aborts a search.
 */
export function createCityLocations(
  files: () => readonly OpenedFile[],
  { log, signal }: { log: Logger; signal?: AbortSignal },
): CityLocations {
  let searched: readonly string[] = [];
  let found = new Map<string, Finding | null>();
  const placesIn = () => files().filter(({ database }) => database.kinds.includes("places"));
  const hashes = () => placesIn().map(({ sha256 }) => sha256);

  /** The first database that has a city counts. */
  const search = async (wanted: readonly NamedCity[]) => {
    let missing = wanted;
    for (const { path, sha256 } of placesIn()) {
      if (missing.length === 0) break;
      try {
        const cities = await findInWorker({ path, sha256, maxBytes: MAX_DATABASE_BYTES, wanted: missing }, signal);
        for (const [index, city] of missing.entries()) found.set(keyOfCity(city), cities[index] ?? null);
        missing = missing.filter((city) => !found.get(keyOfCity(city)));
      } catch (error) {
        if (signal?.aborted) return;
        const problem = (error as Error).message;
        log.error({ file: path, problem }, "cities of the geofeeds not found; they have no coordinates from this file");
      }
    }
  };

  return {
    isOutdated: () => hashes().join() !== searched.join(),
    async locate(feeds) {
      const inUse = hashes();
      const named = citiesOf(feeds);
      if (named.size > MAX_CITIES)
        log.warn(
          { cities: named.size },
          `the geofeeds name more than ${MAX_CITIES} cities; the others have no coordinates`,
        );
      const before = inUse.join() === searched.join() ? found : new Map<string, Finding | null>();
      searched = inUse;
      const wanted = [...named].slice(0, MAX_CITIES);
      found = new Map(wanted.flatMap(([key]) => (before.has(key) ? [[key, before.get(key) ?? null]] : [])));
      await search(wanted.filter(([key]) => !found.has(key)).map(([, city]) => city));
      const current = found;
      return (correction) => completed(correction, current);
    },
  };
}

function citiesOf(feeds: readonly NamedFeed[]): Map<string, NamedCity> {
  const cities = new Map<string, NamedCity>();
  for (const { feed } of feeds)
    for (const { country, regionCode, city } of feed.corrections)
      if (country !== null && city !== null)
        cities.set(keyOfCity({ country, regionCode, city }), { country, regionCode, city });
  return cities;
}

/** Coordinates and time zone of the city, and the name that the databases use for its region. */
function completed(correction: Correction, found: ReadonlyMap<string, Finding | null>): Correction {
  const { country, regionCode, city, place } = correction;
  if (country === null || city === null) return correction;
  const finding = found.get(keyOfCity({ country, regionCode, city }));
  if (!finding) return correction;
  const { latitude, longitude, timezone, ...located } = mergeFindings([finding]);
  const region = located.regionCode === regionCode ? located.region : null;
  return {
    ...correction,
    place: { ...place, latitude, longitude, timezone: timezone ?? place.timezone, region: region ?? place.region },
  };
}

/** DB-IP's city files take about a second each. */
const TIMEOUT_MS = 60_000;
const MAX_HEAP_MB = 256;

/**
 * Finds cities in a database in a separate thread, which reads the file again.
 * @param signal aborts it.
 * @throws why it can't be done; the signal's reason.
 */
function findInWorker(task: FindTask, signal?: AbortSignal): Promise<FoundCities> {
  const script = new URL("../cities/find-cities-worker.ts", import.meta.url);
  return runWorker(script, { data: task, maxHeapMb: MAX_HEAP_MB, timeoutMs: TIMEOUT_MS, signal });
}
