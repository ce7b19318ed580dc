import {
  ageInDays,
  type Comparison,
  type DataReport,
  type Family,
  type ReportedDatabase,
} from "@geolookup/shared/domain/data-report.ts";
import type { DatabaseTree, WholeDatabase } from "../databases/database.ts";
import { readRecord } from "../mmdb/read-record.ts";
import { emptyAgreement } from "./agreement.ts";
import { joinFamilies } from "./coverage.ts";
import { FAMILIES } from "./families.ts";
import type { FamilyReport, ReportedSets } from "./family-report.ts";
import { regionCodesOf } from "./region-codes.ts";

/**
 * Makes a report of its parts.
 * @param options.since the older version, if there is one to compare with.
 */
export function makeReport(options: {
  sets: ReportedSets<ReportedDatabase>;
  since?: string | undefined;
  families: Readonly<Record<Family, FamilyReport>>;
  nowMs: number;
}): DataReport {
  const { sets, since, families, nowMs } = options;
  const { ipv4, ipv6 } = families;
  return {
    format: 1,
    createdAt: new Date(nowMs).toISOString(),
    databases: [...sets.loaded],
    space: { ipv4: ipv4.space, ipv6: ipv6.space },
    coverage: {
      all: { ipv4: ipv4.coverage.all, ipv6: ipv6.coverage.all },
      continents: joinFamilies({ ipv4: ipv4.coverage.continents, ipv6: ipv6.coverage.continents }),
      countries: joinFamilies({ ipv4: ipv4.coverage.countries, ipv6: ipv6.coverage.countries }),
    },
    regionCodes: regionCodesOf(families),
    comparison:
      sets.compared && ipv4.comparison && ipv6.comparison
        ? { databases: [...sets.compared], ...joinComparisons({ ipv4: ipv4.comparison, ipv6: ipv6.comparison }) }
        : null,
    changes:
      sets.before && since !== undefined && ipv4.changes && ipv6.changes
        ? { since, databases: [...sets.before], all: { ipv4: ipv4.changes, ipv6: ipv6.changes } }
        : null,
  };
}

function joinComparisons(
  counted: Readonly<Record<Family, NonNullable<FamilyReport["comparison"]>>>,
): Omit<Comparison, "databases"> {
  const names = new Set(FAMILIES.flatMap((family) => [...counted[family].countries.keys()]));
  const find = (family: Family, name: string | null) => counted[family].countries.get(name) ?? emptyAgreement();
  return {
    all: { ipv4: counted.ipv4.all, ipv6: counted.ipv6.all },
    countries: [...names]
      .map((name) => ({ name, ipv4: find("ipv4", name), ipv6: find("ipv6", name) }))
      .sort((a, b) => b.ipv4.country.both[1] - a.ipv4.country.both[1] || String(a.name).localeCompare(String(b.name))),
  };
}

/** What a report says about a database itself. */
export function describeDatabase({ info, tree, sha256 }: WholeDatabase, nowMs: number): ReportedDatabase {
  return {
    name: info.name,
    databaseType: info.databaseType,
    sha256,
    buildUnixSeconds: info.buildUnixSeconds,
    ageDays: ageInDays(info.buildUnixSeconds, nowMs),
    ...countRecords(tree),
    attribution: info.attribution,
    attributionUrl: info.attributionUrl,
  };
}

/** Counts the networks with data in a checked file, and the different data records that they share. */
export function countRecords({ bytes, metadata }: DatabaseTree): { networks: number; records: number } {
  const { nodeCount, recordSize } = metadata;
  const seen = new Uint8Array(Math.ceil((metadata.dataEnd - metadata.searchTreeSize) / 8) + 1);
  let networks = 0;
  let records = 0;
  for (let node = 0; node < nodeCount; node++)
    for (let side = 0; side < 2; side++) {
      const at = readRecord(bytes, recordSize, node, side) - nodeCount;
      if (at <= 0) continue;
      networks += 1;
      const bits = seen[at >>> 3] ?? 0;
      if ((bits >>> (at & 7)) & 1) continue;
      seen[at >>> 3] = bits | (1 << (at & 7));
      records += 1;
    }
  return { networks, records };
}
