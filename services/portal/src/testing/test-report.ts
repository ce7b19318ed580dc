import { type Coverage, type DataReport, REPORT_FIELDS } from "@geolookup/shared/domain/data-report.ts";

function coverageOf(networks: number, addresses: number): Coverage {
  const total: [number, number] = [networks, addresses];
  const known = Object.fromEntries(REPORT_FIELDS.map((name) => [name, total])) as Coverage["ipv4"]["known"];
  const ipv4 = { total, complete: total, known: { ...known, city: [1, addresses / 4] as [number, number] } };
  const nothing = {
    total: [0, 0],
    complete: [0, 0],
    known: Object.fromEntries(REPORT_FIELDS.map((name) => [name, [0, 0]])),
  };
  return { ipv4, ipv6: nothing as unknown as Coverage["ipv6"] };
}

/** A report about a database with an invented name, without a comparison. */
export const TEST_REPORT: DataReport = {
  format: 1,
  createdAt: "2026-11-22T12:00:00.000Z",
  databases: [
    {
      name: "city<i>.mmdb",
      databaseType: "DBIP-City-Lite",
      sha256: "aa",
      buildUnixSeconds: Date.UTC(2026, 10, 1) / 1_000,
      ageDays: 21,
      networks: 4,
      records: 2,
      attribution: "IP Geolocation by DB-IP",
      attributionUrl: "https://db-ip.com",
    },
  ],
  space: { ipv4: 2_000, ipv6: 10 },
  coverage: {
    all: coverageOf(4, 1_000),
    continents: [{ name: "EU", ...coverageOf(4, 1_000) }],
    countries: [{ name: "FR", ...coverageOf(4, 1_000) }],
  },
  regionCodes: {
    all: {
      ipv4: { total: [4, 1_000], known: [3, 990], unnamed: [1, 10] },
      ipv6: { total: [0, 0], known: [0, 0], unnamed: [0, 0] },
    },
    missing: [{ country: "SG", region: null, ipv4: [1, 10], ipv6: [0, 0] }],
  },
  comparison: null,
  changes: null,
};
