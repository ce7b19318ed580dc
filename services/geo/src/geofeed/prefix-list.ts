import { setImmediate as yieldToEventLoop } from "node:timers/promises";

/** Prefixes of one IP version, each with a value, in typed arrays: a million of them take a few bytes each. */
export interface PrefixList {
  /** 32-bit words of an address: 1 for IPv4, 4 for IPv6. */
  width: number;
  count: number;
  /** The first address of each prefix. */
  words: Uint32Array;
  prefixLengths: Uint8Array;
  /** The value of each prefix. */
  values: Uint32Array;
  /** The line of each prefix. */
  lines: Uint32Array;
}

/** An empty list for addresses with that many words. */
export function createPrefixList(width: number): PrefixList {
  return { width, count: 0, ...arrays(width, 64) };
}

/** Adds a prefix that has no host bits. */
export function addPrefix(
  list: PrefixList,
  { words, prefixLength }: { words: ArrayLike<number>; prefixLength: number },
  value: number,
  line: number,
): void {
  if (list.count === list.values.length) {
    const larger = arrays(list.width, list.count * 2);
    for (const name of ["words", "prefixLengths", "values", "lines"] as const) larger[name].set(list[name]);
    Object.assign(list, larger);
  }
  list.words.set(words, list.count * list.width);
  list.prefixLengths[list.count] = prefixLength;
  list.values[list.count] = value;
  list.lines[list.count] = line;
  list.count++;
}

function arrays(width: number, capacity: number) {
  return {
    words: new Uint32Array(capacity * width),
    prefixLengths: new Uint8Array(capacity),
    values: new Uint32Array(capacity),
    lines: new Uint32Array(capacity),
  };
}

/**
 * Indexes of the prefixes, sorted by first address, then by length, shorter first, then by input order. A radix sort,
 * because it can pause: it yields to the event loop after each 16 bits.
 */
export async function sortPrefixes({ width, count, words, prefixLengths }: PrefixList): Promise<Uint32Array> {
  let order = new Uint32Array(count);
  for (let index = 0; index < count; index++) order[index] = index;
  order = sortByDigit(order, (index) => prefixLengths[index] as number);
  for (let digit = width * 2 - 1; digit >= 0; digit--) {
    const shift = digit % 2 === 0 ? 16 : 0;
    order = sortByDigit(order, (index) => ((words[index * width + (digit >>> 1)] as number) >>> shift) & 0xffff);
    await yieldToEventLoop();
  }
  return order;
}

function sortByDigit(order: Uint32Array, digitOf: (index: number) => number): Uint32Array<ArrayBuffer> {
  const places = new Uint32Array(0x1_0001);
  for (const index of order) (places[digitOf(index) + 1] as number)++;
  for (let digit = 1; digit < places.length; digit++)
    places[digit] = (places[digit] as number) + (places[digit - 1] as number);
  const sorted = new Uint32Array(order.length);
  for (const index of order) {
    const digit = digitOf(index);
    const place = places[digit] as number;
    sorted[place] = index;
    places[digit] = place + 1;
  }
  return sorted;
}

/**
 * Keeps the first of equal prefixes.
 * @param order from `sortPrefixes`.
 * @param onRepeated called with the index that is kept and the one that isn't.
 */
export function withoutRepeated(
  { width, words, prefixLengths }: PrefixList,
  order: Uint32Array,
  onRepeated: (first: number, again: number) => void,
): Uint32Array {
  const isSame = (a: number, b: number) => {
    for (let word = 0; word < width; word++) if (words[a * width + word] !== words[b * width + word]) return false;
    return prefixLengths[a] === prefixLengths[b];
  };
  let first = -1;
  return order.filter((index) => {
    if (first < 0 || !isSame(first, index)) {
      first = index;
      return true;
    }
    onRepeated(first, index);
    return false;
  });
}
