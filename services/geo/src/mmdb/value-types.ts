/** Type numbers of the MaxMind DB format 2.0, "Output Data Section". Those above 7 have a separate byte. */
export const POINTER = 1;
export const STRING = 2;
export const DOUBLE = 3;
export const BYTES = 4;
export const UINT16 = 5;
export const UINT32 = 6;
export const MAP = 7;
export const INT32 = 8;
export const UINT64 = 9;
export const UINT128 = 10;
export const ARRAY = 11;
export const BOOLEAN = 14;
export const FLOAT = 15;

/**
 * Whether a size, in bytes, is invalid for a value of a type. Maps and lists count items; texts and bytes can have any size.
 * @throws RangeError for an unknown type.
 */
export function isWrongSize(type: number, size: number): boolean {
  switch (type) {
    case STRING:
    case BYTES:
    case MAP:
    case ARRAY:
      return false;
    case UINT16:
      return size > 2;
    case UINT32:
    case INT32:
      return size > 4;
    case DOUBLE:
      return size !== 8;
    case FLOAT:
      return size !== 4;
    case BOOLEAN:
      return size > 1;
    case UINT64:
      return size > 8;
    case UINT128:
      return size > 16;
    default:
      throw new RangeError(`unknown type ${type}`);
  }
}
