import type { DatabaseTree } from "../databases/database.ts";
import { readRecord } from "../mmdb/read-record.ts";

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
