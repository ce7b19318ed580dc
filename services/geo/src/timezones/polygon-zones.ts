import { TwoGenerationMap } from "@geolookup/shared/domain/two-generation-map.ts";
import { find, setCache } from "geo-tz/all";
import { zonesOfCountry } from "./country-zones.ts";
import { nearestZone } from "./nearest-zone.ts";
import type { PlaceList } from "./place-list.ts";
import { NO_INDEX, type TimezoneTable } from "./timezone-table.ts";

/** geo-tz reads polygons of a part of the world at a time. Places are visited part by part, so few of them are needed. */
const CACHED_PARTS = 32;
const CELL_BITS = 13;
const CELLS_ACROSS = 2 ** CELL_BITS;
/** A cell's number and a place's, together as many bits as a number can hold exactly. */
const PLACE_BITS = 26;

/**
 * Finds the time zones of places by the boundaries of geo-tz, among the zones of their countries. Where no zone of the
 * country is, such as at sea, the nearest one is taken. Places that have none near are left out.
 */
export function zonesByPolygon(places: PlaceList): TimezoneTable {
  setCache({ store: new TwoGenerationMap<string, unknown>(CACHED_PARTS) });
  const { records, countries, latitudes, longitudes } = places;
  const names: string[] = [];
  const indexes = new Uint8Array(records.length).fill(NO_INDEX);
  let cell = -1;
  const found = new Map<string, number>();
  for (const [at, ofCell] of byCell(latitudes, longitudes)) {
    if (ofCell !== cell) found.clear();
    cell = ofCell;
    const [country, latitude, longitude] = [countries[at] as string, latitudes[at] as number, longitudes[at] as number];
    const key = `${country} ${latitude} ${longitude}`;
    const index = found.get(key) ?? indexOf(names, zoneAt(country, latitude, longitude));
    found.set(key, index);
    indexes[at] = index;
  }
  const hasZone = (_: number, at: number) => indexes[at] !== NO_INDEX;
  return { names, records: records.filter(hasZone), indexes: indexes.filter(hasZone) };
}

function zoneAt(country: string, latitude: number, longitude: number): string | null {
  const zones = zonesOfCountry(country);
  const there = find(latitude, longitude).find((zone) => zones.includes(zone));
  return there ?? nearestZone(country, latitude, longitude);
}

function indexOf(names: string[], zone: string | null): number {
  if (zone === null) return NO_INDEX;
  const index = names.indexOf(zone);
  if (index >= 0) return index;
  if (names.length === NO_INDEX) throw new RangeError(`more than ${NO_INDEX} time zones`);
  return names.push(zone) - 1;
}

/** All places with the number of their cell, neighboring cells one after the other (a Z-order curve). */
function* byCell(latitudes: Float64Array, longitudes: Float64Array): Iterable<[at: number, cell: number]> {
  const keys = latitudes.map((latitude, at) => {
    const row = cellOf((latitude + 90) / 180);
    const column = cellOf(((longitudes[at] as number) + 180) / 360);
    return (2 * spreadBits(row) + spreadBits(column)) * 2 ** PLACE_BITS + at;
  });
  for (const key of keys.sort()) yield [key % 2 ** PLACE_BITS, Math.floor(key / 2 ** PLACE_BITS)];
}

function cellOf(share: number): number {
  return Math.min(CELLS_ACROSS - 1, Math.floor(share * CELLS_ACROSS));
}

/** The bits of a number with a zero before each. */
function spreadBits(number: number): number {
  let spread = 0;
  for (let bit = 0; bit < CELL_BITS; bit++) spread |= ((number >>> bit) & 1) << (2 * bit);
  return spread;
}
