import { CHARACTER_VALUES, firstCharacterOf, firstWordOf, type HourSlots, slotsOfLength } from "./hour-slots.ts";
import { type HourWindow, NO_PEERS } from "./window.ts";

/** By a name's first character, so that a shard grows within a fraction of a millisecond, even with a million callers. */
const SHARDS = CHARACTER_VALUES;
/** Of each shard. A power of two, as is each later number of slots. */
const INITIAL_SLOTS = 16;
/** So a search usually looks at one or two slots, which are next to each other. */
const MIN_SLOTS_PER_CALLER = 2;

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

  /** Copies of all hours for which `isWanted`, without peers. They may change during the walk, as with `ends`. */
  *copies(isWanted: (endMs: number) => boolean): Generator<{ slots: HourSlots; count: number }> {
    for (const shard of this.shards) {
      const copy = shard.copy(isWanted);
      if (copy.count > 0) yield copy;
    }
  }

  private shardOf(name: string): Shard {
    return this.shards[firstCharacterOf(name)] as Shard;
  }
}

/** One of the hash tables. Exported for its test. */
export class Shard {
  private size = 0;
  private slots = slotsOfLength(INITIAL_SLOTS);
  /** By slot; null while no caller has any, as with a single gateway. */
  private peers: HourWindow["peers"][] | null = null;

  has(name: string): boolean {
    return !this.isFree(this.search(name));
  }

  get(name: string): HourWindow | undefined {
    const slot = this.search(name);
    if (this.isFree(slot)) return undefined;
    const { slots } = this;
    return { endMs: slots.endMs(slot), own: slots.own(slot), peers: this.peers?.[slot] ?? NO_PEERS };
  }

  /** @returns whether the name is new. */
  set(name: string, { own, endMs, peers }: HourWindow): boolean {
    let slot = this.search(name);
    const isNew = this.isFree(slot);
    if (isNew) {
      this.size += 1;
      if (this.size * MIN_SLOTS_PER_CALLER > this.slots.length) {
        this.grow();
        slot = this.search(name);
      }
      this.slots.setName(slot, name);
    }
    this.slots.setHour(slot, own, endMs);
    if (peers !== NO_PEERS) this.peers ??= new Array(this.slots.length).fill(NO_PEERS);
    if (this.peers) this.peers[slot] = peers;
    return isNew;
  }

  ends(): [name: string, endMs: number][] {
    const { slots } = this;
    const ends: [string, number][] = [];
    for (let slot = 0; slot < slots.length; slot += 1)
      if (!this.isFree(slot)) ends.push([slots.name(slot), slots.endMs(slot)]);
    return ends;
  }

  copy(isWanted: (endMs: number) => boolean): { slots: HourSlots; count: number } {
    const copies = slotsOfLength(this.size);
    let count = 0;
    for (let slot = 0; slot < this.slots.length; slot += 1) {
      if (this.isFree(slot) || !isWanted(this.slots.endMs(slot))) continue;
      copies.copy(count, this.slots, slot);
      count += 1;
    }
    return { slots: copies, count };
  }

  isFree(slot: number): boolean {
    return this.slots.isFree(slot);
  }

  /** The slot of a name, or the free one where it belongs. */
  private search(name: string): number {
    const { slots } = this;
    const mask = slots.length - 1;
    const first = firstWordOf(name);
    for (let slot = firstSlot(first, mask); ; slot = (slot + 1) & mask)
      if (this.isFree(slot) || slots.hasName(slot, name, first)) return slot;
  }

  private grow(): void {
    const { slots: old, peers: oldPeers } = this;
    const slots = slotsOfLength(2 * old.length);
    const peers = oldPeers && new Array<HourWindow["peers"]>(slots.length).fill(NO_PEERS);
    const mask = slots.length - 1;
    for (let from = 0; from < old.length; from += 1) {
      if (old.isFree(from)) continue;
      let to = firstSlot(old.firstWord(from), mask);
      while (!slots.isFree(to)) to = (to + 1) & mask;
      slots.copy(to, old, from);
      if (peers) peers[to] = oldPeers?.[from] ?? NO_PEERS;
    }
    this.slots = slots;
    this.peers = peers;
  }
}

/** Where the search for a name begins, by its first word. */
function firstSlot(word: number, mask: number): number {
  return word & mask;
}
