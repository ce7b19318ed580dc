/** Type numbers of the MaxMind DB format 2.0, "Output Data Section". Those above 7 stand in a byte of their own. */
const POINTER = 1;
const STRING = 2;
const DOUBLE = 3;
const BYTES = 4;
const UINT16 = 5;
const UINT32 = 6;
const MAP = 7;
const INT32 = 8;
const UINT64 = 9;
const UINT128 = 10;
const ARRAY = 11;
const BOOLEAN = 14;
const FLOAT = 15;

/** Types whose size is their length in bytes. */
const SIZED: ReadonlySet<number> = new Set([STRING, DOUBLE, BYTES, UINT16, UINT32, INT32, UINT64, UINT128, FLOAT]);

/** No vendor's records are nested so deeply; a pointer that leads back to itself is without end. */
const MAX_DEPTH = 32;
/** Nor has one so many values: lists of pointers to lists would take for ever, and hold a node and all who wait. */
const MAX_VALUES = 10_000;
/** Texts that many records point to: keys, names of countries and regions. */
const KEPT_TEXTS = 20_000;

/**
 * Decodes records of a file, of their maps only the members that are wanted: in several vendors' records the names in
 * other languages are most of it, and a map of eight members costs maxmind's reader some forty objects.
 * @param dataStart offset in the file that pointers count from.
 * @returns the value at an offset in the file. It throws RangeError for what is no value.
 */
export function createDecoder(
  bytes: Buffer,
  dataStart: number,
  isWanted: (key: string) => boolean,
): (offset: number) => unknown {
  const texts = new Map<number, string>();
  /** What comes next. */
  let at = 0;
  let type = 0;
  let size = 0;
  /** Of the record that is read. */
  let values = 0;

  function uint(length: number): number {
    if (at + length > bytes.length) throw new RangeError("a value reaches beyond the file");
    let value = 0;
    for (const end = at + length; at < end; at++) value = value * 256 + (bytes[at] as number);
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
  }

  function readText(length: number): string {
    const start = at;
    at += length;
    if (at > bytes.length) throw new RangeError("a text reaches beyond the file");
    return bytes.toString("utf8", start, at);
  }

  function readKey(): string {
    readControl();
    if (type === STRING) return readText(size);
    if (type !== POINTER) throw new RangeError("a key is no text");
    const known = texts.get(size);
    if (known !== undefined) return known;
    const key = readAt(size, MAX_DEPTH);
    if (typeof key !== "string") throw new RangeError("a key is no text");
    return key;
  }

  /** Reads the value that a pointer leads to, and goes on behind the pointer. */
  function readAt(target: number, depth: number): unknown {
    const known = texts.get(target);
    if (known !== undefined) return known;
    const behind = at;
    at = target;
    const value = readValue(depth);
    at = behind;
    if (typeof value === "string") {
      if (texts.size >= KEPT_TEXTS) texts.clear();
      texts.set(target, value);
    }
    return value;
  }

  function readValue(depth: number): unknown {
    if (depth > MAX_DEPTH + 1) throw new RangeError("values are nested without end");
    readControl();
    switch (type) {
      case POINTER:
        return readAt(size, depth + 1);
      case STRING:
        return readText(size);
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
      case DOUBLE:
        at += 8;
        return bytes.readDoubleBE(at - 8);
      case FLOAT:
        at += 4;
        return bytes.readFloatBE(at - 4);
      default:
        // No vendor states anything of an address in these.
        skip();
        return undefined;
    }
  }

  function readMap(count: number, depth: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    for (let member = 0; member < count; member++) {
      const key = readKey();
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

  /** Goes on behind a value of `size` bytes. */
  function skip(): void {
    if (!SIZED.has(type)) throw new RangeError(`there is no type ${type}`);
    at += size;
    if (at > bytes.length) throw new RangeError("a value reaches beyond the file");
  }

  return (offset) => {
    at = offset;
    values = 0;
    return readValue(0);
  };
}
