import {
  type Amount,
  type DataReport,
  dataReport,
  type Family,
  REPORT_FIELDS,
} from "@geolookup/shared/domain/data-report.ts";
import { expect } from "chai";
import { iso31662 } from "iso-3166";
import { Reader, type Response } from "maxmind";
import type { WholeDatabase } from "../databases/database.ts";
import { allNetworks } from "../testing/all-networks.ts";
import { ASN, CITY, maxMindFiles } from "../testing/maxmind-files.ts";
import { NESTED, NESTED_PLACE, NETWORK_PLACE, NEW_ZEALAND } from "../testing/records.ts";
import { GERMANY, reportOf, writeDatabase } from "../testing/report-files.ts";

const FAMILIES = ["ipv4", "ipv6"] as const;

/** By hand: which fields callers get of a record, by its country. */
const FIELDS_OF = new Map<unknown, readonly string[]>([
  ["FR", fieldsIn(NESTED_PLACE)],
  ["NZ", [...fieldsIn(NEW_ZEALAND), "region", "regionCode", "city", "timezone", "latitude", "longitude"]],
  ["DE", ["country", "countryName", "continent", "isEUCountry", "currency", "languages"]],
]);
const CONTINENT_OF: Readonly<Record<string, string>> = { FR: "EU", NZ: "OC", DE: "EU" };

/** Where MaxMind's files have ISO 3166-2's code of a region. */
const REGION_CODE = [0, "subdivisions", 0, "iso_code"] as const;
const WITH_CODES = new Set(iso31662.map(({ code }) => code.slice(0, 2)));

describe("a report about data", () => {
  it("has the same counts by field, country and continent as an independent reader", async () => {
    const loaded = [await writeDatabase("GeoLite2-City", CITY), await writeDatabase("GeoLite2-ASN", ASN)];
    const report = reportOf({ loaded });
    for (const family of FAMILIES) {
      const networks = knownNetworks(family, loaded).map(({ records: [place, network], prefixLength }) => {
        const country = countryOf(place);
        const fields = [...(FIELDS_OF.get(country) ?? []), ...(network === null ? [] : fieldsIn(NETWORK_PLACE))];
        return { country, fields, prefixLength };
      });
      const has = (name: string) => networks.filter(({ fields }) => fields.includes(name));
      const { all, continents, countries } = viewOf(report, family);
      for (const name of REPORT_FIELDS) expectAmount(all.known[name], family, has(name), name);
      expectAmount(all.total, family, networks, "total");
      expectAmount(all.complete, family, has("city"), "complete");
      for (const country of ["NZ", "FR", "DE", null]) {
        const own = (some: typeof networks) => some.filter((network) => network.country === country);
        expectAmount(countries(country)?.total, family, own(networks), `total of ${country}`);
        expectAmount(countries(country)?.known.city, family, own(has("city")), `city of ${country}`);
        expectAmount(countries(country)?.known.asn, family, own(has("asn")), `asn of ${country}`);
      }
      const european = networks.filter(({ country }) => CONTINENT_OF[country ?? ""] === "EU");
      expectAmount(continents("EU")?.total, family, european, "Europe");
    }
    expect(report.space.ipv4).to.equal(2 ** 32 - 592_708_608);
  });

  it("has the same counts for MaxMind's files as MaxMind's reader", async () => {
    const loaded = await maxMindFiles();
    const report = reportOf({ loaded });
    for (const family of FAMILIES) {
      const networks = knownNetworks(family, loaded);
      const { all } = viewOf(report, family);
      expectAmount(all.total, family, networks, "total");
      const read = {
        country: [0, "country", "iso_code"],
        region: [0, "subdivisions", 0, "names", "en"],
        city: [0, "city", "names", "en"],
        postalCode: [0, "postal", "code"],
        latitude: [0, "location", "latitude"],
        asn: [1, "autonomous_system_number"],
      } as const;
      for (const [name, path] of Object.entries(read)) {
        const known = networks.filter(({ records }) => memberAt(records, path) !== undefined);
        expectAmount(all.known[name as keyof typeof read], family, known, name);
      }
      const coded = networks.filter(({ records }) => WITH_CODES.has(memberAt(records, read.country) as string));
      const known = coded.filter(({ records }) => memberAt(records, REGION_CODE) !== undefined);
      // Every region in these files has a code.
      const unnamed = coded.filter(({ records }) => memberAt(records, read.region) === undefined);
      expectAmount(report.regionCodes.all[family].total, family, coded, "in countries with region codes");
      expectAmount(report.regionCodes.all[family].known, family, known, "with a region code");
      expectAmount(report.regionCodes.all[family].unnamed, family, unnamed, "without region");
      for (const { country, region, ...amounts } of report.regionCodes.missing) {
        expect(region).to.equal(null);
        const own = unnamed.filter(({ records }) => memberAt(records, read.country) === country);
        expectAmount(amounts[family], family, own, `without region in ${country}`);
      }
    }
  });

  it("merges databases like lookups do: a place comes from databases that agree on the country", async () => {
    const loaded = [
      await writeDatabase("GeoLite2-Country", [["20.0.0.0/24", GERMANY]]),
      await writeDatabase("GeoLite2-City", [
        ["20.0.0.0/25", { ...NESTED, ...GERMANY }],
        ["20.0.0.128/25", NESTED],
      ]),
      await writeDatabase("city ipv6", [["20.0.1.0/24", { country_code: "NZ" }]]),
    ];
    const { all, countries } = reportOf({ loaded }).coverage;
    expect(all.ipv4.total).to.deep.equal([2, 256]);
    expect(all.ipv4.known).to.deep.include({ country: [2, 256], city: [1, 128] });
    expect(countries.map(({ name }) => name)).to.deep.equal(["DE"]);
  });

  it("describes the databases, and matches its schema", async () => {
    const loaded = [await writeDatabase("GeoLite2-City", CITY), await writeDatabase("GeoLite2-ASN", ASN)];
    const report = reportOf({ loaded });
    expect(dataReport.parse(JSON.parse(JSON.stringify(report)))).to.deep.equal(report);
    const [first, second] = report.databases;
    expect(first).to.include({ name: "GeoLite2-City.mmdb", databaseType: "GeoLite2-City", ageDays: 9, records: 3 });
    expect(first?.attribution).to.include("MaxMind");
    expect(second).to.include({ ageDays: 9, networks: 3, records: 1 });
  });
});

function knownNetworks(family: Family, files: readonly WholeDatabase[]) {
  const readers = files.map(({ tree }) => new Reader<Response>(tree.bytes));
  return [...allNetworks(family, readers)].filter(({ records }) => records.some((one) => one !== null));
}

function memberAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce((part, key) => (part as Record<string | number, unknown> | null | undefined)?.[key], value);
}

function fieldsIn(place: object): string[] {
  return Object.entries(place)
    .filter(([, value]) => value !== null)
    .map(([name]) => name);
}

function countryOf(record: unknown): string | null {
  return (record as { country: { iso_code: string } } | null)?.country.iso_code ?? null;
}

function viewOf({ coverage }: DataReport, family: Family) {
  const find = (groups: DataReport["coverage"]["countries"]) => (wanted: string | null) =>
    groups.find(({ name }) => name === wanted)?.[family];
  return {
    all: coverage.all[family],
    continents: find(coverage.continents),
    countries: find(coverage.countries),
  };
}

/** Compares with the number of networks, and with their addresses in units of an IPv4 address or an IPv6 /48. */
function expectAmount(
  amount: Amount | undefined,
  family: Family,
  networks: readonly { prefixLength: number }[],
  what: string,
): void {
  const unit = family === "ipv4" ? 32 : 48;
  const addresses = networks.reduce((sum, { prefixLength }) => sum + 2 ** (unit - prefixLength), 0);
  expect(amount?.[0], `${family}, ${what}: networks`).to.equal(networks.length);
  expect(amount?.[1], `${family}, ${what}: addresses`).to.be.closeTo(addresses, addresses * 1e-12);
}
