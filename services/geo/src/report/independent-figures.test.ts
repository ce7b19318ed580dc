import { type Amount, type DataReport, type Family, REPORT_FIELDS } from "@geolookup/shared/domain/data-report.ts";
import { expect } from "chai";
import { Reader, type Response } from "maxmind";
import type { WholeDatabase } from "../databases/database.ts";
import { allNetworks } from "../testing/all-networks.ts";
import {
  placeIn,
  type RandomPlace,
  randomNetworks,
  randomNumbers,
  randomPlace,
  recordOf,
} from "../testing/random-places.ts";
import { reportOf, writeDatabase } from "../testing/report-files.ts";

/** By hand: continent, EU membership, currency and languages. */
const COUNTRIES: Readonly<Record<string, readonly string[]>> = {
  FR: ["EU", "yes", "EUR", "fr"],
  DE: ["EU", "yes", "EUR", "de"],
  US: ["NA", "no", "USD", "en"],
  GB: ["EU", "no", "GBP", "en"],
};

/** An autonomous system as a database states it. */
interface System {
  autonomous_system_number: number;
  autonomous_system_organization: string;
}
/** A network with what both sides have for it; null where one has nothing. */
interface Pair {
  one: RandomPlace | null;
  other: RandomPlace | null;
  systems: readonly [one: System | null, other: System | null];
  addresses: number;
}
/** A network with a place on both sides. */
type Both = Pair & { one: RandomPlace; other: RandomPlace };

/** Two systems share a name. */
const SYSTEMS: readonly System[] = [
  { autonomous_system_number: 64_500, autonomous_system_organization: "Ink Net" },
  { autonomous_system_number: 64_501, autonomous_system_organization: "Ink Net" },
  { autonomous_system_number: 64_502, autonomous_system_organization: "Pen Net" },
];

const FAMILIES = ["ipv4", "ipv6"] as const;

/**
 * A report's figures about two sets of databases, computed again from their definitions in docs/data.md: from a list of all
 * networks that MaxMind's reader makes, with nothing of the report's own code.
 */
describe("a report's figures beside an independent computation", () => {
  let report: DataReport;
  let compared: Record<Family, Pair[]>;
  let changed: Record<Family, Pair[]>;

  before(async function () {
    this.timeout(20_000);
    const random = randomNumbers(13);
    const city = () => {
      const records = Array.from({ length: 60 }, () => recordOf(randomPlace(random)));
      const networks = randomNetworks(random, 200);
      return writeDatabase(
        "GeoLite2-City",
        networks.map((network) => [network, records[Math.floor(random() * records.length)] ?? {}]),
      );
    };
    const asn = () => {
      const networks = randomNetworks(random, 60);
      return writeDatabase(
        "GeoLite2-ASN",
        networks.map((network) => [network, { ...SYSTEMS[Math.floor(random() * SYSTEMS.length)] }]),
      );
    };
    const [one, other, oneAsn, otherAsn] = [await city(), await city(), await asn(), await asn()];
    report = reportOf({ loaded: [one, oneAsn], compared: [other], before: [other, otherAsn] });
    const byFamily = (databases: readonly WholeDatabase[]) => ({
      ipv4: pairsOf("ipv4", databases),
      ipv6: pairsOf("ipv6", databases),
    });
    compared = byFamily([one, other, oneAsn]);
    changed = byFamily([one, other, oneAsn, otherAsn]);
  });

  for (const family of FAMILIES) {
    it(`of two databases: same country, region and city, and the distance (${family})`, () => {
      const both = compared[family].filter((pair): pair is Both => pair.one !== null && pair.other !== null);
      const counted = report.comparison?.all[family];
      expect(counted?.country.both[0]).to.be.greaterThan(200);
      for (const [what, { isKnown, isSame }] of Object.entries(AGREEMENT)) {
        const amounts = counted?.[what as keyof typeof AGREEMENT];
        const known = both.filter((pair) => isKnown(pair.one) && isKnown(pair.other));
        expectAmount(amounts?.both, known, `${what} on both sides`);
        expectAmount(amounts?.same, known.filter(isSame), `same ${what}`);
        for (const country of report.comparison?.countries ?? []) {
          const own = known.filter(({ one }) => one.country === country.name);
          const amountsThere = country[family][what as keyof typeof AGREEMENT];
          expectAmount(amountsThere.both, own, `${what} on both sides, ${country.name}`);
          expectAmount(amountsThere.same, own.filter(isSame), `same ${what}, ${country.name}`);
        }
      }
      const located = both.filter(({ one, other }) => one.latitude !== undefined && other.latitude !== undefined);
      const distances = located
        .map(({ one, other, addresses }) => ({ km: Math.round(kilometers(one, other) * 10) / 10, addresses }))
        .sort((a, b) => a.km - b.km);
      expectAmount(counted?.distance.both, located, "coordinates on both sides");
      for (const [name, tenths] of [["median", 5] as const, ["p90", 9] as const]) {
        const nth = distances[Math.ceil((distances.length * tenths) / 10) - 1];
        const total = distances.reduce((sum, { addresses }) => sum + addresses, 0);
        let below = 0;
        const weighted = distances.find(({ addresses }) => {
          below += addresses;
          return below * 10 >= total * tenths;
        });
        expect(counted?.distance[name], name).to.deep.equal([nth?.km, weighted?.km]);
      }
    });

    it(`of changes since the previous version, by field (${family})`, () => {
      const { total, changed: differing, fields } = report.changes?.all[family] ?? {};
      const known = changed[family];
      expectAmount(total, known, "with data, before or now");
      const byField = REPORT_FIELDS.map((name) => {
        const differs = known.filter(
          ({ one, other, systems }) => responseValue(name, one, systems[0]) !== responseValue(name, other, systems[1]),
        );
        expectAmount(fields?.[name], differs, name);
        return differs;
      });
      expect(byField.filter((some) => some.length > 0).length, "fields that differ somewhere").to.equal(15);
      expectAmount(differing, [...new Set(byField.flat())], "changed");
    });
  }
});

const collator = new Intl.Collator("en", { sensitivity: "base", ignorePunctuation: true });
const areSame = (one?: string, other?: string) => one !== undefined && collator.compare(one, other ?? "") === 0;
const isSameCountry = ({ one, other }: Both) => one.country === other.country;

const AGREEMENT = {
  country: { isKnown: () => true, isSame: isSameCountry },
  region: {
    isKnown: ({ region }: RandomPlace) => region !== undefined,
    isSame: (pair: Both) => {
      const { one, other } = pair;
      const areCoded = one.code !== undefined && other.code !== undefined;
      return isSameCountry(pair) && (areCoded ? one.code === other.code : areSame(one.region, other.region));
    },
  },
  city: {
    isKnown: ({ city }: RandomPlace) => city !== undefined,
    isSame: (pair: Both) => isSameCountry(pair) && areSame(pair.one.city, pair.other.city),
  },
};

/** The value of a field in a response, as text; undefined if null. */
function responseValue(
  name: (typeof REPORT_FIELDS)[number],
  place: RandomPlace | null,
  system: System | null,
): string | undefined {
  if (name === "asn") return system?.autonomous_system_number.toString();
  if (name === "asOrganization") return system?.autonomous_system_organization;
  if (place === null) return undefined;
  const [continent, isEUCountry, currency, languages] = COUNTRIES[place.country] ?? [];
  const { code: regionCode, country, ...stated } = place;
  const values = { ...stated, country, countryName: country, regionCode, continent, isEUCountry, currency, languages };
  const value = (values as Partial<Record<string, string | number>>)[name];
  return value === undefined ? undefined : `${value}`;
}

/** The angle between two directions from the middle of the earth, along its mean radius. */
function kilometers(one: RandomPlace, other: RandomPlace): number {
  const direction = ({ latitude = 0, longitude = 0 }: RandomPlace) => {
    const [north, east] = [(latitude / 180) * Math.PI, (longitude / 180) * Math.PI];
    return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)] as const;
  };
  const [[ax, ay, az], [bx, by, bz]] = [direction(one), direction(other)];
  const cross = Math.hypot(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx);
  return 6_371.0088 * Math.atan2(cross, ax * bx + ay * by + az * bz);
}

function pairsOf(family: Family, databases: readonly WholeDatabase[]): Pair[] {
  const readers = databases.map(({ tree }) => new Reader<Response>(tree.bytes));
  return [...allNetworks(family, readers)].flatMap(({ records, prefixLength }) => {
    if (records.every((record) => record === null)) return [];
    const [one, other] = [placeIn(records[0]), placeIn(records[1])];
    const systemAt = (index: number) => (records[index] as System | null | undefined) ?? null;
    const addresses = 2 ** ((family === "ipv4" ? 32 : 48) - prefixLength);
    return [{ one, other, systems: [systemAt(2), systemAt(3)] as const, addresses }];
  });
}

function expectAmount(amount: Amount | undefined, networks: readonly { addresses: number }[], what: string): void {
  const sum = networks.reduce((total, { addresses }) => total + addresses, 0);
  expect(amount, what).to.deep.equal([networks.length, sum]);
}
