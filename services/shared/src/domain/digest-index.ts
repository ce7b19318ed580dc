/** A power of two, as is each later number of slots. */
const INITIAL_SLOTS = 512;
/** A search usually looks at one slot, or two that are next to each other. With more free slots, fewer would be in the CPU's caches. */
const MAX_LOAD = 0.75;
/** 32-bit numbers per slot, so that no slot crosses a line of the CPU's cache: three of a digest, and its number plus 1; 0 if it's free. */
const SLOT = 4;
const NUMBER = 3;

/**
 * Finds a number by a SHA-256: a hash table in a typed array, with open addressing and linear probing. When many keys are in use, a
 * request's cost is mostly memory accesses: a search takes one, in a Map of strings about five. Only the first 96 bits are stored and
 * compared. Nobody can make up a text that has the same ones as another.
 */
export class DigestIndex {
  private slots = new Int32Array(SLOT * INITIAL_SLOTS);
  private digests = 0;

  get size(): number {
    return this.digests;
  }

  /** @param digest one character per byte (latin1), as everywhere here. */
  get(digest: string): number | undefined {
    const next = this.slots[this.search(digest) + NUMBER] as number;
    return next === 0 ? undefined : next - 1;
  }

  /** @param number below 2^31 - 1. */
  set(digest: string, number: number): void {
    const { slots } = this;
    const at = this.search(digest);
    const isNew = slots[at + NUMBER] === 0;
    for (let part = 0; part < NUMBER; part++) slots[at + part] = partOf(digest, part);
    slots[at + NUMBER] = number + 1;
    if (!isNew) return;
    this.digests += 1;
    if (SLOT * this.digests > MAX_LOAD * slots.length) this.grow();
  }

  delete(digest: string): void {
    const at = this.search(digest);
    if (this.slots[at + NUMBER] === 0) return;
    this.digests -= 1;
    this.empty(at);
  }

  /** The position of a digest's slot, or of the free one where it belongs. */
  private search(digest: string): number {
    const { slots } = this;
    const mask = slots.length - 1;
    const [first, second, third] = [partOf(digest, 0), partOf(digest, 1), partOf(digest, 2)];
    let at = (first * SLOT) & mask;
    while (slots[at + NUMBER] !== 0 && (slots[at] !== first || slots[at + 1] !== second || slots[at + 2] !== third))
      at = (at + SLOT) & mask;
    return at;
  }

  /** Frees a slot, and moves digests into it that a search would no longer find behind it. */
  private empty(slot: number): void {
    const { slots } = this;
    const mask = slots.length - 1;
    let free = slot;
    for (let at = (free + SLOT) & mask; slots[at + NUMBER] !== 0; at = (at + SLOT) & mask) {
      const first = ((slots[at] as number) * SLOT) & mask;
      if (((at - first) & mask) < ((at - free) & mask)) continue;
      slots.copyWithin(free, at, at + SLOT);
      free = at;
    }
    slots.fill(0, free, free + SLOT);
  }

  private grow(): void {
    const { slots: old } = this;
    const slots = new Int32Array(2 * old.length);
    const mask = slots.length - 1;
    for (let from = 0; from < old.length; from += SLOT) {
      if (old[from + NUMBER] === 0) continue;
      let at = ((old[from] as number) * SLOT) & mask;
      while (slots[at + NUMBER] !== 0) at = (at + SLOT) & mask;
      for (let part = 0; part < SLOT; part++) slots[at + part] = old[from + part] as number;
    }
    this.slots = slots;
  }
}

/** Four of a digest's bytes. */
function partOf(digest: string, part: number): number {
  const at = 4 * part;
  return (
    digest.charCodeAt(at) |
    (digest.charCodeAt(at + 1) << 8) |
    (digest.charCodeAt(at + 2) << 16) |
    (digest.charCodeAt(at + 3) << 24)
  );
}
