import { expect } from "chai";
import { checkMmdb } from "./check.ts";
import { decodeSample } from "./sample.ts";
import { buildMmdb } from "./writer.ts";

describe("decodeSample", () => {
  for (const [ipVersion, networks] of [
    [4, ["1.0.0.0/8", "70.0.0.0/8", "140.0.0.0/8", "210.0.0.0/8"]],
    [6, ["1.0.0.0/8", "140.0.0.0/8", "210.0.0.0/8", "2001:db8::/32", "3000::/4", "fd00::/8"]],
  ] as const)
    it(`reaches every part of an IPv${ipVersion} tree`, async () => {
      const entries = networks.map((network) => [network, { network }] as const);
      const bytes = buildMmdb({ databaseType: "Test", ipVersion, recordSize: 24, entries });
      const sample = decodeSample(await checkMmdb(bytes), 64) as { network: string }[];
      expect([...new Set(sample.map(({ network }) => network))].sort()).to.deep.equal([...networks].sort());
    });
});
