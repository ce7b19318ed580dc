import { z } from "zod";
import { PLACE_FIELDS } from "./record.ts";

/** The fields that a report covers: every field of a record that depends on the data. */
export const REPORT_FIELDS = PLACE_FIELDS;
export type ReportField = (typeof REPORT_FIELDS)[number];

/** The prefix length of the IPv6 networks that reports count instead of addresses. */
export const IPV6_UNIT = 48;

const DAY_MS = 24 * 60 * 60 * 1_000;

const count = z.number().nonnegative();
/** Networks, and the addresses in them: IPv4 addresses, or IPv6 networks of /48 (a /50 is a quarter of one). */
const amount = z.tuple([count, count]);
const byFamily = <Shape extends z.ZodType>(shape: Shape) => z.object({ ipv4: shape, ipv6: shape });
const byField = z.record(z.enum(REPORT_FIELDS), amount);

const database = z.object({
  /** File name. */
  name: z.string(),
  databaseType: z.string(),
  sha256: z.string(),
  /** 0 if unknown. */
  buildUnixSeconds: count,
  /** Age when the report was created; null if unknown. */
  ageDays: z.number().nullable(),
  /** Networks with data in the file. */
  networks: count,
  /** Distinct data records that they share. */
  records: count,
  attribution: z.string(),
  attributionUrl: z.string().regex(/^(https?:|$)/),
});

const coverage = byFamily(
  z.object({
    /** With any data. */
    total: amount,
    /** Whose responses aren't `partial` on a plan with all fields. */
    complete: amount,
    /** With a value, by field. */
    known: byField,
  }),
);
/** Of a country or continent; null where it is unknown. */
const named = { name: z.string().nullable() };

/** `both`: both sides have a value. `same`: the values are equal. */
const agreement = z.object({ both: amount, same: amount });
const placesAgree = z.object({ country: agreement, region: agreement, city: agreement });
/** By networks, and by addresses; null where there is nothing to compare. */
const quantile = z.tuple([count.nullable(), count.nullable()]);

const comparison = z.object({
  databases: z.array(database),
  all: byFamily(
    placesAgree.extend({
      /** Kilometers between the coordinates, where both sides have them. */
      distance: z.object({ both: amount, median: quantile, p90: quantile }),
    }),
  ),
  /** By the country in the loaded databases. */
  countries: z.array(byFamily(placesAgree).extend(named)),
});

const regionCodes = z.object({
  /** In countries that have ISO 3166-2 codes. */
  all: byFamily(
    z.object({
      /** With any data. */
      total: amount,
      /** With a code. */
      known: amount,
      /** Without a code, because the data has no region name. */
      unnamed: amount,
    }),
  ),
  /** Regions without a code, by their names in the data, or null: the 50 with the most networks. */
  missing: z.array(byFamily(amount).extend({ country: z.string(), region: z.string().nullable() })),
});

const changes = z.object({
  /** The installed version that the loaded data is compared with. */
  since: z.string(),
  databases: z.array(database),
  all: byFamily(
    z.object({
      /** With any data, before or now. */
      total: amount,
      /** With a change in any field. */
      changed: amount,
      fields: byField,
    }),
  ),
});

/** The report about the loaded databases: what callers get, without the operator's geofeed. */
export const dataReport = z.object({
  /** Increase it when the meaning of a figure changes. */
  format: z.literal(1),
  /** RFC 3339, UTC. */
  createdAt: z.string(),
  /** In priority order. */
  databases: z.array(database),
  /** The public address space: IPv4 addresses, and IPv6 networks of /48. */
  space: byFamily(count),
  coverage: z.object({
    all: coverage,
    /** Largest first, by IPv4 addresses. */
    continents: z.array(coverage.extend(named)),
    countries: z.array(coverage.extend(named)),
  }),
  regionCodes,
  comparison: comparison.nullable(),
  changes: changes.nullable(),
});

export type DataReport = z.infer<typeof dataReport>;
export type Amount = z.infer<typeof amount>;
export type Coverage = z.infer<typeof coverage>;
export type Family = keyof Coverage;
export type ReportedDatabase = z.infer<typeof database>;
export type PlacesAgreement = z.infer<typeof placesAgree>;
export type Comparison = z.infer<typeof comparison>;
export type Changes = z.infer<typeof changes>;

/** Whole days since the data was built; null if that is unknown. */
export function ageInDays(buildUnixSeconds: number, nowMs: number): number | null {
  return buildUnixSeconds === 0 ? null : Math.max(0, Math.floor((nowMs - buildUnixSeconds * 1_000) / DAY_MS));
}
