const WIRE_VARINT = 0;
const WIRE_64_BIT = 1;
const WIRE_BYTES = 2;
const WIRE_32_BIT = 5;
/** An entry has at least a tag and a length. */
const MIN_ENTRY_BYTES = 2;

/**
 * Whether a protobuf message has more than `max` entries in a repeated field of strings or messages. Call it before decoding: it
 * reads only tags and lengths, and stops as soon as the result is known.
 * @param field the field's number.
 * @returns false for bytes that aren't a protobuf message: decoding reports those.
 */
export function hasMoreEntries(message: Uint8Array, field: number, max: number): boolean {
  if (message.length <= max * MIN_ENTRY_BYTES) return false;
  let at = 0;
  let count = 0;
  while (at < message.length) {
    let tag = message[at++] as number;
    if (tag >= 0x80) [tag, at] = varintAt(message, at - 1);
    switch (tag % 8) {
      case WIRE_VARINT:
        [, at] = varintAt(message, at);
        break;
      case WIRE_64_BIT:
        at += 8;
        break;
      case WIRE_32_BIT:
        at += 4;
        break;
      case WIRE_BYTES: {
        let length = message[at++] ?? 0;
        if (length >= 0x80) [length, at] = varintAt(message, at - 1);
        at += length;
        if (Math.floor(tag / 8) !== field) break;
        count += 1;
        if (count > max) return true;
        break;
      }
      default:
        return false;
    }
  }
  return false;
}

/** The number at a position, and the position after it. */
function varintAt(message: Uint8Array, start: number): [value: number, end: number] {
  let value = 0;
  let factor = 1;
  for (let at = start; at < message.length; at += 1) {
    const byte = message[at] as number;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return [value, at + 1];
    factor *= 128;
  }
  return [value, message.length];
}
