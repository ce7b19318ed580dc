import { isDeepStrictEqual } from "node:util";
import { Reader, type Response } from "maxmind";
import { type AddressIndex, buildAddressIndex, createIndexSearch } from "../mmdb/address-index.ts";
import { findDataRecords } from "../mmdb/data-records.ts";
import { createDecoder, MAX_WHOLE_TEXT } from "../mmdb/decode.ts";
import { MmdbError } from "../mmdb/error.ts";
import type { MmdbMetadata } from "../mmdb/metadata.ts";
import { type SampledAddress, sampleAddresses } from "../mmdb/sample.ts";
import { found, type Schema } from "../schema/finding.ts";
import { recognizeSchema } from "../schema/recognize.ts";
import { DATA_KINDS, type DataKind } from "./data-kinds.ts";
import type { CheckedDatabase, Identity } from "./identify.ts";
import { lookupDecoder, offsetOf } from "./lookup-decoder.ts";

const SAMPLED_ADDRESSES = 1024;
/** How many values all records together may have. Vendors' files have less than one per byte. */
const VALUES_PER_BYTE = 16;
const VALUES_OF_ANY_FILE = 1_000_000;

/**
 * Checks that bytes are a database that lookups can use: the whole search tree, and every record it leads to, read as lookups
 * read it. Whatever the bytes are, memory is bounded and time grows with their number. It blocks the thread. Known files
 * needn't pass it again (identify.ts).
 * @returns what was checked, with the index that lookups will use.
 * @throws MmdbError with what is wrong, for an operator.
 */
export function checkRecords(
  bytes: Buffer,
  { metadata, sha256 }: Identity,
): { checked: CheckedDatabase; index: AddressIndex } {
  const records = findDataRecords(bytes, metadata);
  const sample = sampleAddresses(bytes, metadata, SAMPLED_ADDRESSES);
  if (sample.length === 0) throw new MmdbError("it holds no data");
  const schema = recognizeSchema(metadata.databaseType, decodeWhole(bytes, metadata, sample));
  const kinds = readEveryRecord(bytes, metadata, records, schema);
  const index = buildAddressIndex(bytes, metadata);
  compareWithMaxmind(bytes, metadata, index, sample, schema);
  return { checked: { metadata, kinds, sha256 }, index };
}

/** The records of a sample, including the fields that lookups skip: they distinguish the vendors' layouts. */
function decodeWhole(bytes: Buffer, metadata: MmdbMetadata, sample: readonly SampledAddress[]): unknown[] {
  const { dataStart, dataEnd } = metadata;
  const options = { dataStart, isWanted: () => true, maxText: MAX_WHOLE_TEXT };
  const { decode } = createDecoder(bytes.subarray(0, dataEnd), options);
  return sample.map(({ record }) => checked(() => decode(offsetOf(record, metadata))));
}

function readEveryRecord(bytes: Buffer, metadata: MmdbMetadata, offsets: Iterable<number>, schema: Schema): DataKind[] {
  const { decode, valuesRead } = lookupDecoder(bytes, metadata);
  const maxValues = VALUES_OF_ANY_FILE + VALUES_PER_BYTE * bytes.length;
  let values = 0;
  let hasPlaces = false;
  let hasNetworks = false;
  for (const offset of offsets) {
    const record = checked(() => decode(offset));
    values += valuesRead();
    if (values > maxValues) throw new MmdbError("it is damaged: its records have too many values for its size");
    if (typeof record !== "object" || record === null || Array.isArray(record))
      throw new MmdbError("it is damaged: a record of its search tree doesn't point to a map");
    const finding = found(schema.read(record));
    if (finding === null) continue;
    hasPlaces ||= finding.placed;
    hasNetworks ||= finding.finding.asn !== null || finding.finding.asOrganization !== null;
  }
  return DATA_KINDS.filter((kind) => (kind === "places" ? hasPlaces : hasNetworks));
}

/** Looks up a sample with the vendor's own reader too, which is safe with a file that has passed so far. */
function compareWithMaxmind(
  bytes: Buffer,
  metadata: MmdbMetadata,
  index: AddressIndex,
  sample: readonly SampledAddress[],
  schema: Schema,
): void {
  const reader = checked(() => new Reader<Response>(bytes));
  const search = createIndexSearch(index);
  const { decode } = lookupDecoder(bytes, metadata);
  for (const { ip, address, record } of sample) {
    const reached = typeof address === "number" ? search.ipv4(address) : search.ipv6(address);
    const ours = schema.read(decode(offsetOf(record, metadata)));
    const theirs = schema.read(checked(() => reader.get(ip)));
    if (reached !== record || !isDeepStrictEqual(ours, theirs))
      throw new MmdbError("it is damaged: two readers disagree about its content");
  }
}

function checked<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new MmdbError(`it is damaged: a record cannot be decoded (${(error as Error).message})`);
  }
}
