import { limitsOf, recordOf, withKey } from "./answers.ts";
import { NotAsked } from "./not-asked.ts";
import { holds, type Point, type Smoke, same } from "./point.ts";

/** Contract, section 2.1: the fields and their types. */
const PAID = {
  ip: "string",
  country: "string",
  countryName: "string",
  continent: "string",
  isEUCountry: "boolean",
  region: "string",
  regionCode: "string",
  city: "string",
  timezone: "string",
  postalCode: "string",
  latitude: "string",
  longitude: "string",
  asn: "number",
  asOrganization: "string",
  currency: "string",
  languages: "array",
  metroCode: "string",
} as const;
const FREE = ["country", "countryName", "continent"];
/** What must be known for a place to be whole (contract 2.1 rule 4, design section 4). */
const PLACE = ["country", "continent", "region", "city", "timezone", "latitude", "longitude"];
/** Vendors know no region of these. */
const WITHOUT_REGIONS = ["SG", "HK", "MO", "MC", "VA", "GI"];

const paidRecord = async ({ ask, keys }: Smoke) => recordOf(await ask(withKey(keys.paid())));
const freeRecord = async ({ ask, keys }: Smoke) => recordOf(await ask(withKey(keys.free())));
const fieldsOf = (record: object) => Object.keys(record).filter((name) => name !== "partial");

/** Sections 1, 2, 4.1 and 9: the operation and its record. */
export const RECORD_POINTS: readonly Point[] = [
  {
    section: "1, 4.1",
    says: "GET /v1/geo answers 200 with one JSON object, Cache-Control and X-RateLimit headers",
    check: async (smoke) => void (await paidRecord(smoke)),
  },
  {
    section: "2.1",
    says: "with a paid plan every field is there, of its type or null",
    async check(smoke) {
      const record = await paidRecord(smoke);
      same("the fields", fieldsOf(record).sort(), Object.keys(PAID).sort());
      for (const [name, type] of Object.entries(PAID)) {
        const value = record[name];
        const found = Array.isArray(value) ? "array" : typeof value;
        holds(value === null || found === type, `${name} is of type ${found}, not ${type}`);
      }
    },
  },
  {
    section: "2.1 rule 2",
    says: "a field that the plan does not include is absent",
    async check(smoke) {
      same("the fields of a free plan", fieldsOf(await freeRecord(smoke)).sort(), [...FREE].sort());
    },
  },
  {
    section: "2.1 rule 4",
    says: "partial is true when the place is not whole, and otherwise absent",
    async check(smoke) {
      const record = await paidRecord(smoke);
      const unknown = PLACE.filter(
        (name) => record[name] === null && !(name === "region" && WITHOUT_REGIONS.includes(String(record.country))),
      );
      same("partial", record.partial, unknown.length > 0 ? true : undefined);
    },
  },
  {
    section: "2.1",
    says: "latitude and longitude are decimal numbers in strings",
    async check(smoke) {
      const { latitude, longitude } = await paidRecord(smoke);
      if (latitude === null) throw new NotAsked("the caller's place is not known");
      for (const text of [latitude, longitude])
        holds(/^-?\d{1,3}(\.\d+)?$/.test(String(text)), `${JSON.stringify(text)} isn't a decimal number`);
    },
  },
  {
    section: "1",
    says: "no address is taken from a parameter",
    async check(smoke) {
      const own = await paidRecord(smoke);
      const asked = recordOf(await smoke.ask(withKey(smoke.keys.paid(), "&ip=8.8.8.8&address=8.8.8.8")));
      holds(asked.ip === own.ip, "the answer is about the address in the query string");
    },
  },
  {
    section: "4, 9",
    says: "GET / is an alias",
    async check(smoke) {
      const { path = "" } = withKey(smoke.keys.paid());
      const alias = recordOf(await smoke.ask({ path: path.replace("/v1/geo", "/") }));
      holds(JSON.stringify(alias) === JSON.stringify(await paidRecord(smoke)), "it answers something else");
    },
  },
  {
    section: "4.1",
    says: "fields trims the answer to the names given",
    async check(smoke) {
      const record = recordOf(await smoke.ask(withKey(smoke.keys.paid(), "&fields=country,city")));
      same("the fields", fieldsOf(record).sort(), ["city", "country"]);
    },
  },
  {
    section: "4.1",
    says: "fields never widens what the plan allows",
    async check({ ask, keys }) {
      same("the fields", fieldsOf(recordOf(await ask(withKey(keys.free(), "&fields=country,city,asn")))), ["country"]);
    },
  },
  {
    section: "4.1",
    says: "fields ignores names that are not known",
    async check({ ask, keys }) {
      same("the fields", fieldsOf(recordOf(await ask(withKey(keys.paid(), "&fields=nonsense,country")))), ["country"]);
    },
  },
  {
    section: "8",
    says: "a key's limit counts down by one a request, and resets when the month ends (UTC)",
    async check({ ask, keys, clock }) {
      const [first, second] = [limitsOf(await ask(withKey(keys.paid()))), limitsOf(await ask(withKey(keys.paid())))];
      const now = new Date(clock());
      const monthEnds = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) / 1000;
      same("X-RateLimit-Reset", second.resetUnixSeconds, monthEnds);
      same("X-RateLimit-Limit", second.limit, first.limit);
      // Several gateways know of each other's counts some seconds later; a key in use counts down faster.
      holds(first.remaining < first.limit, "X-RateLimit-Remaining does not count this request");
      holds(second.remaining <= first.remaining + 1, `X-RateLimit-Remaining rose to ${second.remaining}`);
    },
  },
];
