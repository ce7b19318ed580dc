import { createDecoder, MAX_RECORD_TEXT } from "../mmdb/decode.ts";
import type { MmdbMetadata } from "../mmdb/metadata.ts";
import { isRead } from "../schema/recognize.ts";

/** The decoder for lookups. The check reads every record with it before a file is used. */
export function lookupDecoder(bytes: Buffer, { dataStart, dataEnd }: MmdbMetadata) {
  return createDecoder(bytes.subarray(0, dataEnd), { dataStart, isWanted: isRead, maxText: MAX_RECORD_TEXT });
}

/**
 * The same without the search tree.
 * @param data what is behind the tree, up to the end of the data.
 * @returns decodes the data that a record of the tree points to.
 */
export function dataDecoder(data: Buffer, metadata: MmdbMetadata): (record: number) => unknown {
  const { searchTreeSize, dataStart } = metadata;
  const { decode } = createDecoder(data, {
    dataStart: dataStart - searchTreeSize,
    isWanted: isRead,
    maxText: MAX_RECORD_TEXT,
  });
  return (record) => decode(offsetOf(record, metadata) - searchTreeSize);
}

/** The offset in the file of the data that a record of the search tree points to. */
export function offsetOf(record: number, { nodeCount, searchTreeSize }: MmdbMetadata): number {
  return record - nodeCount + searchTreeSize;
}
