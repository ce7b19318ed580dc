import { expect } from "chai";
import { Reader, type Response } from "maxmind";
import { buildAddressIndex, createIndexSearch } from "./address-index.ts";
import { readMetadata } from "./metadata.ts";
import { sampleAddresses } from "./sample.ts";
import { buildMmdb } from "./writer.ts";

describe("sampleAddresses", () => {
  for (const [ipVersion, networks] of [
    [4, ["1.0.0.0/8", "70.0.0.0/8", "140.0.0.0/8", "210.0.0.0/8"]],
    [6, ["1.0.0.0/8", "140.0.0.0/8", "210.0.0.0/8", "2001:db8::/32", "3000::/4", "fd00::/8"]],
  ] as const)
    it(`reaches every part of an IPv${ipVersion} tree`, () => {
      const entries = networks.map((network) => [network, { network }] as const);
      const bytes = buildMmdb({ databaseType: "Test", ipVersion, recordSize: 24, entries });
      const metadata = readMetadata(bytes);
      const sample = sampleAddresses(bytes, metadata, 64);
      const reader = new Reader<Response>(bytes);
      const found = sample.map(({ ip }) => (reader.get(ip) as unknown as { network: string }).network);
      expect([...new Set(found)].sort()).to.deep.equal([...networks].sort());
      const search = createIndexSearch(buildAddressIndex(bytes, metadata));
      for (const { ip, address, record } of sample)
        expect(typeof address === "number" ? search.ipv4(address) : search.ipv6(address), ip).to.equal(record);
    });
});
