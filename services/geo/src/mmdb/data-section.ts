import { isTypedNumber, type MmdbValue, type NumericType, numericType, type TypedNumber } from "./value.ts";
import * as TYPE from "./value-types.ts";

const NUMBER_TYPES: Readonly<Record<NumericType, number>> = {
  ...{ double: TYPE.DOUBLE, float: TYPE.FLOAT, int32: TYPE.INT32 },
  ...{ uint16: TYPE.UINT16, uint32: TYPE.UINT32, uint64: TYPE.UINT64, uint128: TYPE.UINT128 },
};

const UINT_BYTES: Partial<Record<NumericType, number>> = {
  int32: 4,
  uint16: 2,
  uint32: 4,
  uint64: 8,
  uint128: 16,
};

/** Pointers take 2 to 5 bytes: anything shorter is cheaper repeated. */
const MIN_SHARED_BYTES = 4;

/**
 * Writes values one after the other, each distinct one once: repeats, whole or as a part of another
 * value, become pointers. With `share: false` there are no pointers, as metadata requires.
 */
export function createDataSection(options: { share: boolean }) {
  // Sections without shared values are mostly single numbers: a few bytes each, from the pool.
  let bytes = Buffer.allocUnsafe(options.share ? 4096 : 64);
  let length = 0;
  /** Where a value is, by its encoding without pointers. */
  const offsetOf = new Map<string, number>();
  /** The same for objects already seen, which saves encoding a shared record again. */
  const offsetOfObject = new WeakMap<object, number>();

  function reserve(count: number): number {
    const start = length;
    length += count;
    if (length > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, bytes.length * 2));
      bytes.copy(larger, 0, 0, start);
      bytes = larger;
    }
    return start;
  }

  function writeByte(byte: number): void {
    const at = reserve(1);
    bytes[at] = byte;
  }

  function writeControl(type: number, size: number): void {
    const low = size < 29 ? size : size < 285 ? 29 : size < 65_821 ? 30 : 31;
    if (size >= 65_821 + 0x100_0000) throw new RangeError(`a value of ${size} bytes or items is too large for MMDB`);
    writeByte((type <= 7 ? type << 5 : 0) | low);
    if (type > 7) writeByte(type - 7);
    if (low === 29) writeByte(size - 29);
    if (low === 30) {
      const at = reserve(2);
      bytes.writeUInt16BE(size - 285, at);
    }
    if (low === 31) {
      const at = reserve(3);
      bytes.writeUIntBE(size - 65_821, at, 3);
    }
  }

  function writePointer(target: number): void {
    const control = TYPE.POINTER << 5;
    if (target < 2048) {
      const at = reserve(2);
      bytes.writeUInt16BE((control << 8) | target, at);
    } else if (target < 526_336) {
      const packed = target - 2048;
      writeByte(control | (1 << 3) | (packed >>> 16));
      const at = reserve(2);
      bytes.writeUInt16BE(packed & 0xffff, at);
    } else if (target < 526_336 + 0x800_0000) {
      const packed = target - 526_336;
      writeByte(control | (2 << 3) | (packed >>> 24));
      const at = reserve(3);
      bytes.writeUIntBE(packed & 0xff_ffff, at, 3);
    } else {
      writeByte(control | (3 << 3));
      const at = reserve(4);
      bytes.writeUInt32BE(target, at);
    }
  }

  function writeBlock(type: number, block: Uint8Array): void {
    writeControl(type, block.length);
    const at = reserve(block.length);
    bytes.set(block, at);
  }

  function writeNumber(number: number | bigint | TypedNumber): void {
    const type = numericType(number);
    const value = typeof number === "object" ? number.value : number;
    if (type === "double" || type === "float") {
      const size = type === "double" ? 8 : 4;
      writeControl(NUMBER_TYPES[type], size);
      const at = reserve(size);
      if (type === "double") bytes.writeDoubleBE(Number(value), at);
      else bytes.writeFloatBE(Number(value), at);
    } else {
      writeBlock(NUMBER_TYPES[type], bigEndian(BigInt(value), type));
    }
  }

  /** Writes a value here, its parts as pointers if they were written before. */
  function writeInline(value: MmdbValue): void {
    if (typeof value === "string") writeBlock(TYPE.STRING, Buffer.from(value, "utf8"));
    else if (typeof value === "boolean") writeControl(TYPE.BOOLEAN, value ? 1 : 0);
    else if (typeof value === "number" || typeof value === "bigint") writeNumber(value);
    else if (typeof value !== "object" || value === null) throw new TypeError(`MMDB cannot hold ${String(value)}`);
    else if (value instanceof Uint8Array) writeBlock(TYPE.BYTES, value);
    else if (isTypedNumber(value)) writeNumber(value);
    else if (Array.isArray(value)) {
      writeControl(TYPE.ARRAY, value.length);
      for (const item of value as readonly MmdbValue[]) writePart(item);
    } else {
      const pairs = Object.entries(value as { readonly [key: string]: MmdbValue });
      writeControl(TYPE.MAP, pairs.length);
      for (const [key, item] of pairs) {
        writePart(key);
        writePart(item);
      }
    }
  }

  function writePart(value: MmdbValue): void {
    const encoding = options.share ? plainEncoding(value) : "";
    const known = offsetOf.get(encoding);
    if (known !== undefined) {
      writePointer(known);
      return;
    }
    if (encoding.length >= MIN_SHARED_BYTES) offsetOf.set(encoding, length);
    writeInline(value);
  }

  return {
    /**
     * Writes a value unless it was written before.
     * @returns its offset in bytes from the start of the section.
     * @throws TypeError or RangeError for what the format cannot hold.
     */
    write(value: MmdbValue): number {
      const object = typeof value === "object" && value !== null ? value : null;
      const seen = object && offsetOfObject.get(object);
      if (seen !== null && seen !== undefined) return seen;
      const encoding = options.share ? plainEncoding(value) : "";
      let offset = options.share ? offsetOf.get(encoding) : undefined;
      if (offset === undefined) {
        offset = length;
        if (options.share) offsetOf.set(encoding, offset);
        writeInline(value);
      }
      if (object) offsetOfObject.set(object, offset);
      return offset;
    },
    bytes: () => bytes.subarray(0, length),
  };
}

/** A value's encoding without pointers, as a map key. */
function plainEncoding(value: MmdbValue): string {
  if (typeof value === "string" && value.length < 29 && /^[\x20-\x7e]*$/.test(value))
    return String.fromCharCode((TYPE.STRING << 5) | value.length) + value;
  const section = createDataSection({ share: false });
  section.write(value);
  return section.bytes().toString("latin1");
}

/** An unsigned integer in as few bytes as it needs; zero needs none. */
function bigEndian(value: bigint, type: NumericType): Uint8Array {
  const limit = UINT_BYTES[type] ?? 0;
  if (value < 0n || value >= 1n << BigInt(limit * 8)) throw new RangeError(`${value} does not fit ${type}`);
  const hex = value === 0n ? "" : value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
}
