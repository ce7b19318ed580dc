import { NAME_LENGTH } from "./caller.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const BITS_PER_CHARACTER = 6;
const CHARACTERS_PER_WORD = 5;
/** By character code. */
const VALUES = new Uint8Array(128);
for (const [value, character] of [...ALPHABET].entries()) VALUES[character.charCodeAt(0)] = value;

/** A slot in 32-bit words: the caller's name (5), its requests through this gateway (1), the end of its hour (2). */
const WORDS = 8;
const NAME_WORDS = 5;
const OWN = 5;
/** The same memory in 64-bit numbers. */
const DOUBLES = WORDS / 2;
/** In milliseconds since 1970; 0 if the slot is free. */
const END = 3;

export const SLOT_BYTES = 4 * WORDS;
/** How many values a character has. */
export const CHARACTER_VALUES = ALPHABET.length;

/** Callers' hours without peers, 32 bytes each, in the byte order of the processor. Names must have NAME_LENGTH base64url characters. */
export class HourSlots {
  readonly length: number;
  private readonly memory: ArrayBuffer;
  private readonly words: Uint32Array;
  private readonly doubles: Float64Array;

  /** @param memory slots of 32 bytes. */
  constructor(memory: ArrayBuffer) {
    this.memory = memory;
    this.words = new Uint32Array(memory);
    this.doubles = new Float64Array(memory);
    this.length = memory.byteLength / SLOT_BYTES;
  }

  /** A copy of the bytes of the first slots. */
  bytes(count: number): Buffer {
    return Buffer.from(this.memory.slice(0, count * SLOT_BYTES));
  }

  isFree(slot: number): boolean {
    return this.endMs(slot) === 0;
  }

  endMs(slot: number): number {
    return this.doubles[slot * DOUBLES + END] as number;
  }

  own(slot: number): number {
    return this.words[slot * WORDS + OWN] as number;
  }

  /** The first word of the name. */
  firstWord(slot: number): number {
    return this.words[slot * WORDS] as number;
  }

  /** @param first the first word of `name`. */
  hasName(slot: number, name: string, first: number): boolean {
    const { words } = this;
    const at = slot * WORDS;
    if (words[at] !== first) return false;
    for (let index = 1; index < NAME_WORDS; index += 1) if (words[at + index] !== wordOf(name, index)) return false;
    return true;
  }

  name(slot: number): string {
    const name = Buffer.alloc(NAME_LENGTH);
    for (let index = 0; index < NAME_WORDS; index += 1) {
      let word = this.words[slot * WORDS + index] as number;
      for (let at = endOf(index) - 1; at >= index * CHARACTERS_PER_WORD; at -= 1) {
        name[at] = ALPHABET.charCodeAt(word % ALPHABET.length);
        word >>>= BITS_PER_CHARACTER;
      }
    }
    return name.toString("latin1");
  }

  setName(slot: number, name: string): void {
    for (let index = 0; index < NAME_WORDS; index += 1) this.words[slot * WORDS + index] = wordOf(name, index);
  }

  setHour(slot: number, own: number, endMs: number): void {
    this.words[slot * WORDS + OWN] = own;
    this.doubles[slot * DOUBLES + END] = endMs;
  }

  /** Copies `count` slots of `from`, beginning at `fromSlot`, to `slot`. */
  copy(slot: number, from: HourSlots, fromSlot: number, count = 1): void {
    const [to, start] = [slot * WORDS, fromSlot * WORDS];
    for (let index = 0; index < count * WORDS; index += 1) this.words[to + index] = from.words[start + index] as number;
  }

  /** Whether a slot that was read has a name and an end. */
  isValid(slot: number): boolean {
    for (let index = 0; index < NAME_WORDS; index += 1) {
      const bits = BITS_PER_CHARACTER * (endOf(index) - index * CHARACTERS_PER_WORD);
      if ((this.words[slot * WORDS + index] as number) >= 2 ** bits) return false;
    }
    return !this.isFree(slot);
  }
}

export function slotsOfLength(length: number): HourSlots {
  return new HourSlots(new ArrayBuffer(length * SLOT_BYTES));
}

/** The value of a name's first character. */
export function firstCharacterOf(name: string): number {
  return VALUES[name.charCodeAt(0)] as number;
}

/** The first five characters of a name as a number. */
export function firstWordOf(name: string): number {
  return wordOf(name, 0);
}

/** Five characters of a name as a number; the last one has the two that remain. */
function wordOf(name: string, index: number): number {
  let word = 0;
  for (let at = index * CHARACTERS_PER_WORD; at < endOf(index); at += 1)
    word = (word << BITS_PER_CHARACTER) | (VALUES[name.charCodeAt(at)] as number);
  return word;
}

function endOf(index: number): number {
  return Math.min(NAME_LENGTH, (index + 1) * CHARACTERS_PER_WORD);
}
