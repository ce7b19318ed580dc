import { createDecoder, MAX_RECORD_TEXT } from "../mmdb/decode.ts";
import type { MmdbMetadata } from "../mmdb/metadata.ts";
import { isRead } from "../schema/fields.ts";

/** The decoder for lookups. The check reads every record with it before a file is used. */
export function lookupDecoder(bytes: Buffer, { dataStart, dataEnd }: MmdbMetadata) {
  return createDecoder(bytes.subarray(0, dataEnd), { dataStart, isWanted: isRead, maxText: MAX_RECORD_TEXT });
}

/** The offset in the file of the data that a record of the search tree points to. */
export function offsetOf(record: number, { nodeCount, searchTreeSize }: MmdbMetadata): number {
  return record - nodeCount + searchTreeSize;
}
