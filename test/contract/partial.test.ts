import { expect } from "chai";
import { INCOMPLETE, REGIONLESS } from "../fixtures/odd-places.ts";
import { ADDRESSES } from "../fixtures/places.ts";
import type { IssuedKey } from "../harness/deployment.ts";
import { expectRecord } from "../harness/expect-response.ts";
import { keyed } from "../harness/slots.ts";
import { onEveryDeployment } from "../harness/suite.ts";

/** Non-public addresses: RFC 6890 and similar ones. */
const NON_PUBLIC = [
  ...["127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.1.1", "100.64.0.1", "0.0.0.0", "255.255.255.255"],
  ...["192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1", "224.0.0.1", "240.0.0.1"],
  ...["::1", "::", "fe80::1", "fc00::1", "fd12::1", "2001:db8::1", "ff02::1"],
];

/** What is missing, and whether that makes the record partial for a paid plan and for a free one. */
const CASES = [
  ["country", true, true],
  ["city", true, false],
  ["region", true, false],
  ["coordinates", true, false],
  ["latitude", true, false],
  ["everythingButCountry", true, false],
  ["postal", false, false],
  ["metro", false, false],
] as const;

onEveryDeployment("contract 2.1: partial", (deployment) => {
  let paid: IssuedKey;
  let free: IssuedKey;
  before(async () => {
    [paid, free] = await Promise.all([deployment().sharedKey(), deployment().sharedKey({ plan: "free" })]);
  });
  const located = async (key: string, from: string) => expectRecord(await deployment().send({ ...keyed(key), from }));
  const expectPartial = (record: object, partial: boolean) =>
    partial ? expect(record).to.have.property("partial", true) : expect(record).to.not.have.property("partial");

  for (const [missing, partialPaid, partialFree] of CASES) {
    const { address } = INCOMPLETE[missing];
    it(`a place without ${missing} is ${partialPaid ? "partial" : "complete"} on a paid plan`, async () => {
      const record = await located(paid.key, address);
      expect(Object.values(record), "something is null").to.include(null);
      expectPartial(record, partialPaid);
    });
    it(`a place without ${missing} is ${partialFree ? "partial" : "complete"} on a free plan`, async () => {
      expectPartial(await located(free.key, address), partialFree);
      expectPartial(expectRecord(await deployment().send({ from: address })), partialFree);
    });
  }

  it("undetermined fields are null, not absent", async () => {
    expect(await located(paid.key, INCOMPLETE.region.address)).to.include({
      region: null,
      regionCode: null,
      city: "Beispielstadt",
    });
    const lost = await located(paid.key, INCOMPLETE.coordinates.address);
    expect(lost).to.include({ latitude: null, longitude: null, timezone: null, city: "Beispielstadt" });
  });

  it("region doesn't count for places without first-level subdivisions in the vendors' data", async () => {
    for (const { address, country } of REGIONLESS) {
      const record = await located(paid.key, address);
      expect(record, country).to.include({ country, region: null, city: "Oneplace" });
      expect(record, country).to.not.have.property("partial");
    }
  });

  it("network and derived fields never count", async () => {
    const record = await located(paid.key, ADDRESSES.beispielstadt);
    expect(record).to.include({ asn: null, asOrganization: null, metroCode: null });
    expect(record).to.not.have.property("partial");
  });

  it("a caller with a non-public address gets 200, nulls and partial true, never a 500", async () => {
    for (const from of NON_PUBLIC) {
      const record = await located(paid.key, from);
      expect(record).to.include({ ip: from, country: null, city: null, latitude: null, asn: null, partial: true });
    }
  });
});
