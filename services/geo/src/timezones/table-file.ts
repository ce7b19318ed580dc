import { hash } from "node:crypto";
import { parseJson } from "@geolookup/shared/domain/parse-json.ts";
import { z } from "zod";
import { MAX_RECORDS, NO_INDEX, type TimezoneTable } from "./timezone-table.ts";

/** How tables are computed. Tables computed in another way are computed again. */
export const METHOD = "1, geo-tz 8.1.9";

const HEADER_LENGTH_BYTES = 4;
const MAX_HEADER_BYTES = 64 * 1024;
const MAX_NAME_CHARACTERS = 64;
const RECORD_BYTES = Uint32Array.BYTES_PER_ELEMENT + Uint8Array.BYTES_PER_ELEMENT;
export const MAX_TABLE_BYTES = HEADER_LENGTH_BYTES + MAX_HEADER_BYTES + MAX_RECORDS * RECORD_BYTES;

const header = z.object({
  method: z.literal(METHOD),
  /** SHA-256 (hexadecimal) of the database that the records are of. */
  database: z.string(),
  names: z.array(z.string().max(MAX_NAME_CHARACTERS)).max(NO_INDEX),
  records: z.number().int().min(0).max(MAX_RECORDS),
  /** SHA-256 (hexadecimal) of the rest of the file. */
  sha256: z.string(),
});

/** Writes a table as a file: the length of a JSON header, the header, all records, all indexes. */
export function encodeTable({ names, records, indexes }: TimezoneTable, database: string): Buffer {
  const payload = Buffer.concat([Buffer.from(records.buffer, records.byteOffset, records.byteLength), indexes]);
  const text: z.infer<typeof header> = {
    method: METHOD,
    database,
    names: [...names],
    records: records.length,
    sha256: hash("sha256", payload),
  };
  const head = Buffer.from(JSON.stringify(text));
  const length = Buffer.alloc(HEADER_LENGTH_BYTES);
  length.writeUInt32LE(head.length);
  return Buffer.concat([length, head, payload]);
}

/**
 * Reads a table from a file's bytes.
 * @param database SHA-256 (hexadecimal) of the database that it must be of.
 * @returns null if it is damaged, of another database, or computed in another way.
 */
export function decodeTable(bytes: Buffer, database: string): TimezoneTable | null {
  if (bytes.length < HEADER_LENGTH_BYTES) return null;
  const start = HEADER_LENGTH_BYTES + bytes.readUInt32LE();
  if (start > Math.min(bytes.length, HEADER_LENGTH_BYTES + MAX_HEADER_BYTES)) return null;
  const head = header.safeParse(parseJson(bytes.toString("utf8", HEADER_LENGTH_BYTES, start)));
  if (!head.success || head.data.database !== database) return null;
  const { names, records: count, sha256 } = head.data;
  const payload = bytes.subarray(start);
  if (payload.length !== count * RECORD_BYTES || hash("sha256", payload) !== sha256) return null;
  const records = new Uint32Array(count);
  Buffer.from(records.buffer).set(payload.subarray(0, records.byteLength));
  const indexes = Uint8Array.from(payload.subarray(records.byteLength));
  const isValid =
    indexes.every((index) => index < names.length) &&
    records.every((record, at) => at === 0 || record > (records[at - 1] as number));
  return isValid ? { names, records, indexes } : null;
}
