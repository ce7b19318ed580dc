import {
  ARRAY,
  BOOLEAN,
  DOUBLE,
  FLOAT,
  INT32,
  isWrongSize,
  MAP,
  POINTER,
  STRING,
  UINT16,
  UINT32,
  UINT64,
  UINT128,
} from "./value-types.ts";

/** No vendor's records are nested so deeply; a pointer that leads back to itself is without end. */
const MAX_DEPTH = 32;
/** No real record has that many values. Lists of pointers to lists would take forever and block the node. */
const MAX_VALUES = 4_096;
const MAX_KEY_LENGTH = 255;
/** Texts that many records point to: keys, names of countries and regions. */
const KEPT_TEXTS = 20_000;

/** Characters of text in one record, as lookups read it. Cached records keep the text, so this bounds their memory. */
export const MAX_RECORD_TEXT = 1_024;
/** Characters of text in metadata, or in a record including the fields that lookups skip. */
export const MAX_WHOLE_TEXT = 65_536;

export interface DecoderOptions {
  /** Offset that pointers count from. */
  dataStart: number;
  /** Members of maps that are decoded, at any depth; the others are skipped. */
  isWanted: (key: string) => boolean;
  /** UTF-16 code units that the decoded texts of one value may have in all; keys aren't counted. */
  maxText: number;
}

/**
 * Decodes records of a file, of their maps only the members that are wanted: in several vendors' records the names in
 * other languages are most of it, and a map of eight members costs maxmind's reader about forty objects.
 *
 * Values, depth and text of each record are bounded, and the cost of a record doesn't depend on the records decoded
 * before it: a record that was accepted once is always accepted.
 * @param bytes a file up to the end of its data.
 */
export function createDecoder(bytes: Buffer, { dataStart, isWanted, maxText }: DecoderOptions) {
  const texts = new Map<number, string>();
  const end = bytes.length;
  /** What comes next. */
  let at = 0;
  let type = 0;
  let size = 0;
  /** Of the record that is read. */
  let values = 0;
  let textLength = 0;

  function uint(length: number): number {
    if (at + length > end) throw new RangeError("a value reaches beyond the file");
    let value = 0;
    for (const last = at + length; at < last; at++) value = value * 256 + (bytes[at] as number);
    return value;
  }

  /** Reads a control byte and what belongs to it; of a pointer, `size` is where it leads. */
  function readControl(): void {
    values += 1;
    if (values > MAX_VALUES) throw new RangeError("a record has values without end");
    const control = uint(1);
    type = control >>> 5;
    size = control & 31;
    if (type === POINTER) {
      const length = size >>> 3;
      const high = size & 7;
      if (length === 0) size = high * 2 ** 8 + uint(1);
      else if (length === 1) size = high * 2 ** 16 + uint(2) + 2_048;
      else if (length === 2) size = high * 2 ** 24 + uint(3) + 526_336;
      else size = uint(4);
      size += dataStart;
      return;
    }
    if (type === 0) type = uint(1) + 7;
    if (size === 29) size = 29 + uint(1);
    else if (size === 30) size = 285 + uint(2);
    else if (size === 31) size = 65_821 + uint(3);
    if (isWrongSize(type, size)) throw new RangeError(`a value of type ${type} has the wrong size ${size}`);
  }

  function readText(): string {
    // A UTF-16 code unit takes at most three bytes in UTF-8.
    if (size > maxText * 3) throw new RangeError(`a text of ${size} bytes is too long`);
    const start = at;
    at += size;
    if (at > end) throw new RangeError("a text reaches beyond the file");
    return bytes.toString("utf8", start, at);
  }

  function keep(target: number, text: string): void {
    if (texts.size >= KEPT_TEXTS) texts.clear();
    texts.set(target, text);
  }

  /** A cached text counts as much as a decoded one. */
  function keptText(target: number): string | undefined {
    const text = texts.get(target);
    if (text !== undefined) values += 1;
    return text;
  }

  function readKey(): string {
    readControl();
    let key: string;
    if (type === STRING) key = readText();
    else if (type === POINTER) key = keptText(size) ?? readKeyAt(size);
    else throw new RangeError("a key isn't a text");
    if (key.length > MAX_KEY_LENGTH) throw new RangeError(`a key of ${key.length} characters is too long`);
    return key;
  }

  function readKeyAt(target: number): string {
    const behind = at;
    at = target;
    readControl();
    if (type !== STRING) throw new RangeError("a key isn't a text");
    const key = readText();
    at = behind;
    keep(target, key);
    return key;
  }

  /** Reads the value that a pointer points to, and continues after the pointer. */
  function readAt(target: number, depth: number): unknown {
    if (depth > MAX_DEPTH) throw new RangeError("values are nested without end");
    const kept = keptText(target);
    if (kept !== undefined) return counted(kept);
    if ((bytes[target] as number) >>> 5 === POINTER) throw new RangeError("a pointer points to a pointer");
    const behind = at;
    at = target;
    const value = readValue(depth);
    at = behind;
    if (typeof value === "string") keep(target, value);
    return value;
  }

  function counted(text: string): string {
    textLength += text.length;
    if (textLength > maxText) throw new RangeError(`a record has more than ${maxText} characters of text`);
    return text;
  }

  function readValue(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new RangeError("values are nested without end");
    readControl();
    switch (type) {
      case POINTER:
        return readAt(size, depth + 1);
      case STRING:
        return counted(readText());
      case MAP:
        return readMap(size, depth);
      case ARRAY:
        return readArray(size, depth);
      case BOOLEAN:
        return size !== 0;
      case UINT16:
      case UINT32:
        return uint(size);
      case INT32:
        return uint(size) | 0;
      case UINT64:
      case UINT128:
        return readBigInt(size);
      case DOUBLE:
        skip();
        return bytes.readDoubleBE(at - 8);
      case FLOAT:
        skip();
        return bytes.readFloatBE(at - 4);
      default:
        // No vendor states anything of an address in these.
        skip();
        return undefined;
    }
  }

  function readBigInt(length: number): bigint {
    let value = 0n;
    for (let left = length; left > 0; left--) value = value * 256n + BigInt(uint(1));
    return value;
  }

  function readMap(count: number, depth: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    for (let member = 0; member < count; member++) {
      const key = readKey();
      if (key === "__proto__") throw new RangeError("a record has a member __proto__");
      if (isWanted(key)) map[key] = readValue(depth + 1);
      else skipValue(depth + 1);
    }
    return map;
  }

  function readArray(count: number, depth: number): unknown[] {
    const list: unknown[] = [];
    for (let item = 0; item < count; item++) list.push(readValue(depth + 1));
    return list;
  }

  function skipValue(depth: number): void {
    if (depth > MAX_DEPTH) throw new RangeError("values are nested without end");
    readControl();
    if (type === MAP || type === ARRAY)
      for (let left = type === MAP ? 2 * size : size; left > 0; left--) skipValue(depth + 1);
    else if (type !== POINTER && type !== BOOLEAN) skip();
  }

  /** Continues after a value of `size` bytes. */
  function skip(): void {
    at += size;
    if (at > end) throw new RangeError("a value reaches beyond the file");
  }

  return {
    /** The value at an offset. @throws RangeError for invalid values and for more than a record may contain. */
    decode: (offset: number): unknown => {
      at = offset;
      values = 0;
      textLength = 0;
      return readValue(0);
    },
    /** How many values the last `decode` read. */
    valuesRead: () => values,
  };
}
