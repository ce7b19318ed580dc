import { NAME_LENGTH } from "./caller.ts";
import { type HourWindow, NO_PEERS } from "./window.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const BITS_PER_CHARACTER = 6;
const CHARACTERS_PER_WORD = 5;
/** By character code. */
const VALUES = new Uint8Array(128);
for (const [value, character] of [...ALPHABET].entries()) VALUES[character.charCodeAt(0)] = value;

/** So that a shard grows within a fraction of a millisecond, even with a million callers. */
const SHARDS = ALPHABET.length;
/** Of each shard. A power of two, as is each later number of slots. */
const INITIAL_SLOTS = 16;
/** So a search usually looks at one or two slots, which are next to each other. */
const MIN_SLOTS_PER_CALLER = 2;

/** A slot in 32-bit words: the caller's name (5), its requests through this gateway (1), the end of its hour (2). */
const WORDS = 8;
const NAME_WORDS = 5;
const OWN = 5;
/** The same memory in 64-bit numbers. */
const DOUBLES = WORDS / 2;
/** 0 if the slot is free. */
const END = 3;

/**
 * The hours of many callers: hash tables in typed arrays, with open addressing and linear probing. A search takes about one memory
 * access, in a Map of objects about five (docs/decisions/redis-hourly-limit.md). Names must be evenly distributed, as HMACs are: their
 * first characters serve as the hash.
 */
export class HourTable {
  size = 0;
  private readonly shards = Array.from({ length: SHARDS }, () => new Shard());

  has(name: string): boolean {
    return this.shardOf(name).has(name);
  }

  /** A copy of a caller's hour. */
  get(name: string): HourWindow | undefined {
    return this.shardOf(name).get(name);
  }

  /** Stores a caller's hour. */
  set(name: string, window: HourWindow): void {
    if (this.shardOf(name).set(name, window)) this.size += 1;
  }

  /**
   * All callers and the ends of their hours. They may change during the walk: each shard is read when the walk gets there, and then
   * all at once.
   */
  *ends(): Generator<[name: string, endMs: number]> {
    for (const shard of this.shards) yield* shard.ends();
  }

  private shardOf(name: string): Shard {
    return this.shards[VALUES[name.charCodeAt(0)] as number] as Shard;
  }
}

/** One of the hash tables. Exported for its test. */
export class Shard {
  private size = 0;
  private words = new Uint32Array(INITIAL_SLOTS * WORDS);
  private doubles = new Float64Array(this.words.buffer);
  /** By slot; null while no caller has any, as with a single gateway. */
  private peers: HourWindow["peers"][] | null = null;

  has(name: string): boolean {
    return !this.isFree(this.search(name));
  }

  get(name: string): HourWindow | undefined {
    const slot = this.search(name);
    if (this.isFree(slot)) return undefined;
    return {
      endMs: this.doubles[slot * DOUBLES + END] as number,
      own: this.words[slot * WORDS + OWN] as number,
      peers: this.peers?.[slot] ?? NO_PEERS,
    };
  }

  /** @returns whether the name is new. */
  set(name: string, { own, endMs, peers }: HourWindow): boolean {
    let slot = this.search(name);
    const isNew = this.isFree(slot);
    if (isNew) {
      this.size += 1;
      if (this.size * MIN_SLOTS_PER_CALLER > this.slots) {
        this.grow();
        slot = this.search(name);
      }
      for (let index = 0; index < NAME_WORDS; index += 1) this.words[slot * WORDS + index] = wordOf(name, index);
    }
    this.words[slot * WORDS + OWN] = own;
    this.doubles[slot * DOUBLES + END] = endMs;
    if (peers !== NO_PEERS) this.peers ??= new Array(this.slots).fill(NO_PEERS);
    if (this.peers) this.peers[slot] = peers;
    return isNew;
  }

  ends(): [name: string, endMs: number][] {
    const ends: [string, number][] = [];
    for (let slot = 0; slot < this.slots; slot += 1)
      if (!this.isFree(slot)) ends.push([this.nameAt(slot), this.doubles[slot * DOUBLES + END] as number]);
    return ends;
  }

  isFree(slot: number): boolean {
    return this.doubles[slot * DOUBLES + END] === 0;
  }

  private get slots(): number {
    return this.words.length / WORDS;
  }

  /** The slot of a name, or the free one where it belongs. */
  private search(name: string): number {
    const mask = this.slots - 1;
    const first = wordOf(name, 0);
    for (let slot = firstSlot(first, mask); ; slot = (slot + 1) & mask)
      if (this.isFree(slot) || this.matches(slot, name, first)) return slot;
  }

  private matches(slot: number, name: string, first: number): boolean {
    const { words } = this;
    const at = slot * WORDS;
    if (words[at] !== first) return false;
    for (let index = 1; index < NAME_WORDS; index += 1) if (words[at + index] !== wordOf(name, index)) return false;
    return true;
  }

  private nameAt(slot: number): string {
    const name = Buffer.alloc(NAME_LENGTH);
    for (let index = 0; index < NAME_WORDS; index += 1) {
      let word = this.words[slot * WORDS + index] as number;
      for (let at = endOf(index) - 1; at >= index * CHARACTERS_PER_WORD; at -= 1) {
        name[at] = ALPHABET.charCodeAt(word % ALPHABET.length);
        word >>= BITS_PER_CHARACTER;
      }
    }
    return name.toString("latin1");
  }

  private grow(): void {
    const old = { words: this.words, doubles: this.doubles, peers: this.peers, slots: this.slots };
    const words = new Uint32Array(2 * old.words.length);
    const doubles = new Float64Array(words.buffer);
    const peers = old.peers && new Array<HourWindow["peers"]>(2 * old.slots).fill(NO_PEERS);
    const mask = 2 * old.slots - 1;
    for (let from = 0; from < old.slots; from += 1) {
      if (old.doubles[from * DOUBLES + END] === 0) continue;
      let to = firstSlot(old.words[from * WORDS] as number, mask);
      while (doubles[to * DOUBLES + END] !== 0) to = (to + 1) & mask;
      for (let index = 0; index < WORDS; index += 1)
        words[to * WORDS + index] = old.words[from * WORDS + index] as number;
      if (peers) peers[to] = old.peers?.[from] ?? NO_PEERS;
    }
    this.words = words;
    this.doubles = doubles;
    this.peers = peers;
  }
}

/** Where the search for a name begins, by its first word. */
function firstSlot(word: number, mask: number): number {
  return word & mask;
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
