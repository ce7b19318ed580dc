/** The numeric types of the MaxMind DB format that plain JavaScript values don't distinguish. */
export type NumericType = "double" | "float" | "int32" | "uint16" | "uint32" | "uint64" | "uint128";

const NUMERIC_TYPE = Symbol("mmdb numeric type");

/** A number with an explicit MMDB type; made by `double`, `float`, `uint16` and the like. */
export interface TypedNumber {
  readonly [NUMERIC_TYPE]: NumericType;
  readonly value: number | bigint;
}

/**
 * What a MaxMind DB can hold. A bare number is a uint32 when it is a whole number that fits, else a
 * double; a bare bigint is a uint64. Wrap a number whose type must not depend on its value, e.g. `double(52)` for a latitude.
 */
export type MmdbValue =
  | string
  | number
  | bigint
  | boolean
  | Uint8Array
  | TypedNumber
  | readonly MmdbValue[]
  | { readonly [key: string]: MmdbValue };

const typed =
  (type: NumericType) =>
  (value: number | bigint): TypedNumber => ({ [NUMERIC_TYPE]: type, value });

export const double = typed("double");
export const float = typed("float");
export const int32 = typed("int32");
export const uint16 = typed("uint16");
export const uint32 = typed("uint32");
export const uint64 = typed("uint64");
export const uint128 = typed("uint128");

export function isTypedNumber(value: object): value is TypedNumber {
  return NUMERIC_TYPE in value;
}

/** The MMDB type of a number: the explicit one, or the one that `MmdbValue` describes for bare numbers. */
export function numericType(value: number | bigint | TypedNumber): NumericType {
  if (typeof value === "object") return value[NUMERIC_TYPE];
  if (typeof value === "bigint") return "uint64";
  return Number.isInteger(value) && !Object.is(value, -0) && value >= 0 && value <= 0xffff_ffff ? "uint32" : "double";
}
