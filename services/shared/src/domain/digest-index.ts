/** A power of two, as is each later number of slots. */
const INITIAL_SLOTS = 512;
/** A search looks at two or three slots on average, next to each other. With more free slots, fewer would fit in the CPU's caches. */
const MAX_LOAD = 0.75;
/** 32-bit numbers per slot, so that no slot crosses a cache line: three of a digest, and its number plus 1; 0 if the slot is free. */
const NUMBERS_PER_SLOT = 4;
const NUMBER_OFFSET = 3;

/**
 * Finds a number by a SHA-256: a hash table in a typed array, with open addressing and linear probing. When many keys are in use, a
 * request's cost is mostly memory accesses: a search takes one, in a Map of strings about five. Only the first 96 bits are stored and
 * compared. To be taken for one of a million keys, someone would have to send about 2^76 made-up ones.
 */
export class DigestIndex {
  private slots = new Int32Array(NUMBERS_PER_SLOT * INITIAL_SLOTS);
  private digests = 0;

  get size(): number {
    return this.digests;
  }

  /** @param digest one character per byte (latin1), like every digest in this class. */
  get(digest: string): number | undefined {
    const next = this.slots[this.search(digest) + NUMBER_OFFSET] as number;
    return next === 0 ? undefined : next - 1;
  }

  /** @param number below 2^31 - 1. */
  set(digest: string, number: number): void {
    const { slots } = this;
    const at = this.search(digest);
    const isNew = slots[at + NUMBER_OFFSET] === 0;
    for (let part = 0; part < NUMBER_OFFSET; part++) slots[at + part] = partOf(digest, part);
    slots[at + NUMBER_OFFSET] = number + 1;
    if (!isNew) return;
    this.digests += 1;
    if (NUMBERS_PER_SLOT * this.digests > MAX_LOAD * slots.length) this.grow();
  }

  delete(digest: string): void {
    const at = this.search(digest);
    if (this.slots[at + NUMBER_OFFSET] === 0) return;
    this.digests -= 1;
    this.empty(at);
  }

  /** The position of a digest's slot, or of the free one where it belongs. */
  private search(digest: string): number {
    const { slots } = this;
    const mask = slots.length - 1;
    const [first, second, third] = [partOf(digest, 0), partOf(digest, 1), partOf(digest, 2)];
    let at = (first * NUMBERS_PER_SLOT) & mask;
    while (
      slots[at + NUMBER_OFFSET] !== 0 &&
      (slots[at] !== first || slots[at + 1] !== second || slots[at + 2] !== third)
    )
      at = (at + NUMBERS_PER_SLOT) & mask;
    return at;
  }

  /** Frees a slot, and moves digests into it that a search would no longer find behind it. */
  private empty(slot: number): void {
    const { slots } = this;
    const mask = slots.length - 1;
    let free = slot;
    for (
      let at = (free + NUMBERS_PER_SLOT) & mask;
      slots[at + NUMBER_OFFSET] !== 0;
      at = (at + NUMBERS_PER_SLOT) & mask
    ) {
      const first = ((slots[at] as number) * NUMBERS_PER_SLOT) & mask;
      if (((at - first) & mask) < ((at - free) & mask)) continue;
      slots.copyWithin(free, at, at + NUMBERS_PER_SLOT);
      free = at;
    }
    slots.fill(0, free, free + NUMBERS_PER_SLOT);
  }

  private grow(): void {
    const { slots: old } = this;
    const slots = new Int32Array(2 * old.length);
    const mask = slots.length - 1;
    for (let from = 0; from < old.length; from += NUMBERS_PER_SLOT) {
      if (old[from + NUMBER_OFFSET] === 0) continue;
      let at = ((old[from] as number) * NUMBERS_PER_SLOT) & mask;
      while (slots[at + NUMBER_OFFSET] !== 0) at = (at + NUMBERS_PER_SLOT) & mask;
      for (let part = 0; part < NUMBERS_PER_SLOT; part++) slots[at + part] = old[from + part] as number;
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
