import { expect } from "chai";
import { INCOMPLETE } from "../fixtures/odd-places.ts";
import { ADDRESSES, RAINHAVEN_FREE, RAINHAVEN_RECORD } from "../fixtures/places.ts";
import type { IssuedKey } from "../harness/deployment.ts";
import { expectRecord } from "../harness/expect-response.ts";
import { keyed } from "../harness/slots.ts";
import { onEveryDeployment } from "../harness/suite.ts";

const from = ADDRESSES.rainhaven;
const WHOLE = { ip: from, ...RAINHAVEN_RECORD };

/** The query after the key, and what a paid key gets. */
const CASES: readonly (readonly [what: string, query: string, expected: object])[] = [
  ["one name", "&fields=city", { city: "Rainhaven" }],
  ["several names", "&fields=city,ip,asn", { city: "Rainhaven", ip: from, asn: 64500 }],
  ["a name that is null here stays null elsewhere, and is given here", "&fields=metroCode", { metroCode: "819" }],
  ["every name", `&fields=${Object.keys(WHOLE).join(",")}`, WHOLE],
  [
    "names are trimmed",
    "&fields=%20city%20,%09country,+region",
    { city: "Rainhaven", country: "US", region: "Washington" },
  ],
  ["an encoded comma separates as a plain one does", "&fields=city%2Ccountry", { city: "Rainhaven", country: "US" }],
  ["names that are not known are ignored", "&fields=city,nonsense,__proto__,toString", { city: "Rainhaven" }],
  ["names are case-sensitive", "&fields=City,COUNTRY,isEuCountry,isEUCountry", { isEUCountry: false }],
  ["a name given twice counts once", "&fields=city,city", { city: "Rainhaven" }],
  ["repeated parameters are joined", "&fields=city&fields=country", { city: "Rainhaven", country: "US" }],
  ["repeated parameters are joined, empty ones among them too", "&fields=&fields=country", { country: "US" }],
  ["an empty value is as if absent", "&fields=", WHOLE],
  ["no value at all is as if absent", "&fields", WHOLE],
  ["separators alone are as if absent", "&fields=,,%20,", WHOLE],
  ["empty names between others are skipped", "&fields=,city,,country,", { city: "Rainhaven", country: "US" }],
  ["only names that are not known: {}", "&fields=nonsense", {}],
  ["only names that are not known, several: {}", "&fields=nonsense,hasOwnProperty,constructor", {}],
  ["partial cannot be asked for where the record is whole", "&fields=partial", {}],
  ["the parameter's own name is case-sensitive", "&Fields=city", WHOLE],
  ["fields[] isn't an alias", "&fields[]=city", WHOLE],
];

onEveryDeployment("contract 4.1: fields", (deployment) => {
  let paid: IssuedKey;
  let free: IssuedKey;
  before(async () => {
    [paid, free] = await Promise.all([deployment().sharedKey(), deployment().sharedKey({ plan: "free" })]);
  });

  for (const [what, query, expected] of CASES)
    it(`trims the response to the names given: ${what} (${query})`, async () => {
      expect(expectRecord(await deployment().send({ ...keyed(paid.key, query), from }))).to.deep.equal(expected);
    });

  it("it only narrows what the plan allows and never widens it", async () => {
    const asFree = async (query: string) => expectRecord(await deployment().send({ ...keyed(free.key, query), from }));
    expect(await asFree("&fields=city,country,ip")).to.deep.equal({ country: "US" });
    expect(await asFree("&fields=city,ip,asn")).to.deep.equal({});
    const keyless = await deployment().send({ path: "/v1/geo?fields=city,continent" });
    expect(expectRecord(keyless)).to.deep.equal({ continent: "NA" });
    expect(expectRecord(await deployment().send({ path: "/v1/geo?fields=ip" }))).to.deep.equal({});
    expect(expectRecord(await deployment().send({ path: "/v1/geo?fields=" }))).to.deep.equal(RAINHAVEN_FREE);
  });

  it("a header names what is unknown or not in the plan, and is absent otherwise", async () => {
    const NOTICE = "x-geolookup-notice";
    const query = "&fields=town,city,%C5%BC%0D%0Ab";
    const response = await deployment().send({ ...keyed(free.key, query), from });
    expect(expectRecord(response)).to.deep.equal({});
    const notice = 'unknown field "town"; "city" is not in plan "free"; unknown field "%C5%BC%0D%0Ab"';
    expect(response.headers[NOTICE]).to.equal(notice);
    const head = await deployment().send({ ...keyed(free.key, query), from, method: "HEAD" });
    expect(head.headers[NOTICE]).to.equal(notice);
    for (const query of ["", "&fields=", "&fields=city,partial"])
      expect((await deployment().send({ ...keyed(paid.key, query), from })).headers).to.not.have.property(NOTICE);
  });

  it("partial is never trimmed, and is computed before fields", async () => {
    const incomplete = async (query: string) =>
      expectRecord(await deployment().send({ ...keyed(paid.key, query), from: INCOMPLETE.city.address }));
    expect(await incomplete("&fields=country")).to.deep.equal({ country: "DE", partial: true });
    expect(await incomplete("&fields=city")).to.deep.equal({ city: null, partial: true });
    expect(await incomplete("&fields=nonsense")).to.deep.equal({ partial: true });
    expect(await incomplete("&fields=partial")).to.deep.equal({ partial: true });
  });

  it("a plan can list its fields: only those are in the response, and `fields` narrows them further", async () => {
    const { key } = await deployment().sharedKey({ plan: "listed" });
    const { country, city, asn, latitude } = RAINHAVEN_RECORD;
    expect(expectRecord(await deployment().send({ ...keyed(key), from }))).to.deep.equal({
      country,
      city,
      latitude,
      asn,
    });
    const narrowed = await deployment().send({ ...keyed(key, "&fields=city,ip"), from });
    expect(expectRecord(narrowed)).to.deep.equal({ city });
    expect(narrowed.headers["x-geolookup-notice"]).to.equal('"ip" is not in plan "listed"');
  });

  it("a plan's list decides which unknown fields make a record partial", async () => {
    const { key } = await deployment().sharedKey({ plan: "listed" });
    const unknown = await deployment().send({ ...keyed(key), from: ADDRESSES.unknown });
    expect(expectRecord(unknown)).to.deep.equal({
      country: null,
      city: null,
      latitude: null,
      asn: null,
      partial: true,
    });
  });
});
