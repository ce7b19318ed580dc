import { NAME_LENGTH } from "./caller.ts";
import { type HourWindow, NO_PEERS } from "./window.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const BITS_PER_CHARACTER = 6;
const CHARACTERS_PER_NUMBER = 5;
/** By character code. */
const VALUES = new Uint8Array(128);
for (const [value, character] of [...ALPHABET].entries()) VALUES[character.charCodeAt(0)] = value;

/** So that a part grows within a fraction of a millisecond, even with a million callers. */
const PARTS = ALPHABET.length;
/** Of each part. A power of two, as is each later number of places. */
const INITIAL_PLACES = 16;
/** Places per caller, at least. So a search usually looks at one or two, which are next to each other. */
const PLACES_PER_CALLER = 2;

/** Of a place, 32 bits each: a caller's name, its requests through this gateway, and the end of its hour, which takes two. */
const NUMBERS = 8;
const NAME_NUMBERS = 5;
const OWN = 5;
/** The same memory as numbers of 64 bits. */
const DOUBLES = NUMBERS / 2;
/** 0 if the place is free. */
const END = 3;

/**
 * The hours of many callers: hash tables in typed arrays. With many callers, a request's cost is mostly memory accesses. A search takes
 * one here and about five in a Map of objects, which also needs five times as much memory and is work for the garbage collector.
 * Callers' names must be evenly distributed, as HMACs with a secret are: their first characters are their hash.
 */
export class HourTable {
  size = 0;
  private readonly parts = Array.from({ length: PARTS }, () => new Part());

  /** A copy of a caller's hour. */
  get(name: string): HourWindow | undefined {
    return this.partOf(name).get(name);
  }

  /** Stores a copy of a caller's hour. */
  set(name: string, window: HourWindow): void {
    if (this.partOf(name).set(name, window)) this.size += 1;
  }

  /** Copies of all hours. They may change during the walk: each part is read when the walk gets there, and then all at once. */
  *[Symbol.iterator](): Generator<[name: string, window: HourWindow]> {
    for (const part of this.parts) yield* part.entries();
  }

  private partOf(name: string): Part {
    return this.parts[VALUES[name.charCodeAt(0)] as number] as Part;
  }
}

class Part {
  private size = 0;
  private numbers = new Uint32Array(INITIAL_PLACES * NUMBERS);
  private doubles = new Float64Array(this.numbers.buffer);
  /** By place; null while no caller has any, as with a single gateway. */
  private peers: HourWindow["peers"][] | null = null;

  get(name: string): HourWindow | undefined {
    const place = this.search(name);
    return this.isFree(place) ? undefined : this.read(place);
  }

  /** @returns whether the name is new. */
  set(name: string, { own, endMs, peers }: HourWindow): boolean {
    let place = this.search(name);
    const isNew = this.isFree(place);
    if (isNew) {
      this.size += 1;
      if (this.size * PLACES_PER_CALLER > this.places) {
        this.grow();
        place = this.search(name);
      }
      for (let index = 0; index < NAME_NUMBERS; index += 1)
        this.numbers[place * NUMBERS + index] = numberOf(name, index);
    }
    this.numbers[place * NUMBERS + OWN] = own;
    this.doubles[place * DOUBLES + END] = endMs;
    if (peers !== NO_PEERS) this.peers ??= new Array(this.places).fill(NO_PEERS);
    if (this.peers) this.peers[place] = peers;
    return isNew;
  }

  entries(): [name: string, window: HourWindow][] {
    const entries: [string, HourWindow][] = [];
    for (let place = 0; place < this.places; place += 1)
      if (!this.isFree(place)) entries.push([this.nameAt(place), this.read(place)]);
    return entries;
  }

  private get places(): number {
    return this.numbers.length / NUMBERS;
  }

  /** The place of a name, or the free one where it belongs. */
  private search(name: string): number {
    const mask = this.places - 1;
    const first = numberOf(name, 0);
    for (let place = first & mask; ; place = (place + 1) & mask)
      if (this.isFree(place) || this.isOf(place, name, first)) return place;
  }

  private isFree(place: number): boolean {
    return this.doubles[place * DOUBLES + END] === 0;
  }

  private isOf(place: number, name: string, first: number): boolean {
    const { numbers } = this;
    const at = place * NUMBERS;
    if (numbers[at] !== first) return false;
    for (let index = 1; index < NAME_NUMBERS; index += 1)
      if (numbers[at + index] !== numberOf(name, index)) return false;
    return true;
  }

  private nameAt(place: number): string {
    const name = Buffer.alloc(NAME_LENGTH);
    for (let index = 0; index < NAME_NUMBERS; index += 1) {
      let number = this.numbers[place * NUMBERS + index] as number;
      for (let at = endOf(index) - 1; at >= index * CHARACTERS_PER_NUMBER; at -= 1) {
        name[at] = ALPHABET.charCodeAt(number % ALPHABET.length);
        number >>= BITS_PER_CHARACTER;
      }
    }
    return name.toString("latin1");
  }

  private read(place: number): HourWindow {
    return {
      endMs: this.doubles[place * DOUBLES + END] as number,
      own: this.numbers[place * NUMBERS + OWN] as number,
      peers: this.peers?.[place] ?? NO_PEERS,
    };
  }

  private grow(): void {
    const old = { numbers: this.numbers, doubles: this.doubles, peers: this.peers, places: this.places };
    const numbers = new Uint32Array(2 * old.numbers.length);
    const doubles = new Float64Array(numbers.buffer);
    const peers = old.peers && new Array<HourWindow["peers"]>(2 * old.places).fill(NO_PEERS);
    const mask = 2 * old.places - 1;
    for (let from = 0; from < old.places; from += 1) {
      if (old.doubles[from * DOUBLES + END] === 0) continue;
      let to = (old.numbers[from * NUMBERS] as number) & mask;
      while (doubles[to * DOUBLES + END] !== 0) to = (to + 1) & mask;
      for (let index = 0; index < NUMBERS; index += 1)
        numbers[to * NUMBERS + index] = old.numbers[from * NUMBERS + index] as number;
      if (peers) peers[to] = old.peers?.[from] ?? NO_PEERS;
    }
    this.numbers = numbers;
    this.doubles = doubles;
    this.peers = peers;
  }
}

/** Five characters of a name as a number; the last number has the two that remain. */
function numberOf(name: string, index: number): number {
  let number = 0;
  for (let at = index * CHARACTERS_PER_NUMBER; at < endOf(index); at += 1)
    number = (number << BITS_PER_CHARACTER) | (VALUES[name.charCodeAt(at)] as number);
  return number;
}

function endOf(index: number): number {
  return Math.min(NAME_LENGTH, (index + 1) * CHARACTERS_PER_NUMBER);
}
