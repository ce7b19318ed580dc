import { iso31662 } from "iso-3166";
import { withdrawnCodesOf } from "./withdrawn-codes.ts";

/** A subdivision of ISO 3166-2. */
export interface Subdivision {
  /** Without the country, e.g. `WA`. */
  code: string;
  /** As ISO 3166-2 lists it. */
  name: string;
  /** Whether it is a first-level subdivision; else it is part of one. */
  isFirstLevel: boolean;
}

/** Norway's counties since 2024 (ISO 3166-2 newsletter), which the iso-3166 package (4.4.0) lacks. */
export const ADDED_SUBDIVISIONS: readonly { code: string; name: string; parent: string }[] = [
  { code: "NO-31", name: "Østfold", parent: "NO" },
  { code: "NO-32", name: "Akershus", parent: "NO" },
  { code: "NO-33", name: "Buskerud", parent: "NO" },
  { code: "NO-39", name: "Vestfold", parent: "NO" },
  { code: "NO-40", name: "Telemark", parent: "NO" },
  { code: "NO-55", name: "Troms", parent: "NO" },
  { code: "NO-56", name: "Finnmark", parent: "NO" },
];

/**
 * Denmark's counties before 2007, Luxembourg's districts before 2015, and groups of the United Kingdom's countries, which the package still
 * has.
 */
const NOT_IN_FORCE = /^(?:DK-[01]\d\d|LU-[DGL]|GB-(?:EAW|GBN|UKM))$/;

/** Whether a code with its country isn't, or no longer, one of ISO 3166-2. */
export function isWithdrawn(isoCode: string): boolean {
  return NOT_IN_FORCE.test(isoCode) || withdrawnCodesOf(isoCode.slice(0, 2)).has(isoCode.slice(3));
}

/** Codes of island groups, which contain provinces with codes of their own. */
const GROUPS_OF_PROVINCES: ReadonlySet<string> = new Set("ID-JW ID-KA ID-ML ID-NU ID-PP ID-SL ID-SM".split(" "));

/** Estonia's municipalities, which the package lists beside the counties that they are in. */
const PART_OF_COUNTY = /^EE-\d{3}$/;

/**
 * Countries whose provinces, municipalities, parishes or atolls are what people and databases mean by a region. ISO 3166-2
 * combines them into statistical regions or island chains, which are not named in addresses.
 */
const COMBINED: ReadonlySet<string> = new Set(["CV", "DO", "GW", "KN", "MH"]);

/** Whether the first-level subdivisions of a country in ISO 3166-2 only combine what is known as its regions. */
export function combinesRegions(country: string): boolean {
  return COMBINED.has(country);
}

const KNOWN = new Map<string, readonly Subdivision[]>();

/** The current subdivisions of a country (ISO 3166-1 alpha-2); empty if it has none. Found when a country is first asked for. */
export function subdivisionsOf(country: string): readonly Subdivision[] {
  const known = KNOWN.get(country);
  if (known !== undefined) return known;
  const prefix = `${country}-`;
  const subdivisions = [...ADDED_SUBDIVISIONS, ...iso31662]
    .filter(({ code, parent }) => code.startsWith(prefix) && parent)
    .filter(({ code }) => !isWithdrawn(code) && !GROUPS_OF_PROVINCES.has(code))
    .map(({ code, name, parent }) => {
      const isPart = (parent !== country && !combinesRegions(country)) || PART_OF_COUNTY.test(code);
      return { code: code.slice(prefix.length), name, isFirstLevel: !isPart };
    });
  KNOWN.set(country, subdivisions);
  return subdivisions;
}
