import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@geolookup/geo/databases/database.ts";
import { buildMmdb } from "@geolookup/geo/mmdb/writer.ts";
import { isAccepted } from "@geolookup/geo/testing/is-accepted.ts";
import { type Address, parseIpv4, parseIpv6 } from "@geolookup/shared/domain/ip-words.ts";
import { cityRecord, RAINHAVEN, UPPER_TESTING } from "../../fixtures/places.ts";
import type { FuzzSubject } from "../fuzz.ts";
import { mutated } from "../mutations.ts";

const NETWORKS = ["44.0.0.0", "51.7.0.0", "62.7.128.0", "20.0.0.0", "2a0e:1234::", "2a0e:1235::1"];
const ADDRESSES: readonly Address[] = NETWORKS.map((text) => parseIpv4(text) ?? parseIpv6(text) ?? 0);
const TOKENS = ["\xab\xcd\xefMaxMind.com", "node_count", "record_size", "__proto__", "constructor"];

/** Valid files of every record size and both IP versions. */
function goodFiles(): Buffer[] {
  const asn = (number: number) => ({ autonomous_system_number: number, autonomous_system_organization: "Example" });
  return ([24, 28, 32] as const).flatMap((recordSize) => [
    buildMmdb({
      ...{ databaseType: "GeoLite2-City", ipVersion: 6, recordSize, buildUnixSeconds: 1_700_000_000 },
      entries: [
        ["44.0.0.0/12", cityRecord(RAINHAVEN)],
        ["51.7.0.0/16", cityRecord(UPPER_TESTING)],
        ["2a0e:1234::/32", cityRecord(RAINHAVEN)],
      ],
    }),
    buildMmdb({
      ...{ databaseType: "GeoLite2-ASN", ipVersion: 4, recordSize },
      entries: [
        ["44.0.0.0/12", asn(64_500)],
        ["20.0.0.0/8", asn(64_501)],
      ],
    }),
  ]);
}

/** A file is refused with a message for the operator, or all of its records can be looked up. */
export function openMmdb(corpus: readonly Uint8Array[]): FuzzSubject {
  const folder = mkdtempSync(join(tmpdir(), "geolookup-fuzz-"));
  const path = join(folder, "fuzzed.mmdb");
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return {
    inputs: mutated([...goodFiles(), ...corpus], TOKENS),
    async check(input) {
      if (!isAccepted(Buffer.from(input))) return;
      writeFileSync(path, input);
      const { database } = await openDatabase(path);
      for (const address of ADDRESSES)
        if (typeof address === "number" ? database.hasIpv4 : database.hasIpv6) database.find(address);
    },
  };
}
