/** A power of two, as is each later number of slots. */
const INITIAL_SLOTS = 16;
/** With twice as many slots as keys, a search usually looks at one or two, next to each other. */
const MIN_SLOTS_PER_KEY = 2;
const WORD = 2 ** 32;

/**
 * A map from whole numbers below 2^53 to values that many keys share: a hash table in a typed array, with open addressing and linear
 * probing. A search takes two memory accesses, in a Map about four. A key takes 32 to 64 bytes. Keys can't be deleted.
 */
export class NumberMap<Value> {
  /** Two numbers per slot: the key, and the index of its value plus 1; 0 if the slot is free. */
  private slots = new Float64Array(2 * INITIAL_SLOTS);
  private readonly values: Value[] = [];
  private readonly indexes = new Map<Value, number>();
  /** Random and odd, so that callers can't know which keys' searches begin at the same slot. */
  private readonly multipliers = [randomOdd(), randomOdd()] as const;
  private keys = 0;

  get size(): number {
    return this.keys;
  }

  get(key: number): Value | undefined {
    const next = this.slots[this.search(key) + 1] as number;
    return next === 0 ? undefined : this.values[next - 1];
  }

  set(key: number, value: Value): this {
    const at = this.search(key);
    const isNew = this.slots[at + 1] === 0;
    this.slots[at] = key;
    this.slots[at + 1] = this.indexOf(value) + 1;
    if (!isNew) return this;
    this.keys += 1;
    if (2 * MIN_SLOTS_PER_KEY * this.keys > this.slots.length) this.grow();
    return this;
  }

  private indexOf(value: Value): number {
    const known = this.indexes.get(value);
    if (known !== undefined) return known;
    this.indexes.set(value, this.values.length);
    return this.values.push(value) - 1;
  }

  /** The position of a key's slot, or of the free one where it belongs. */
  private search(key: number): number {
    const { slots } = this;
    const mask = slots.length - 1;
    let at = this.firstSlot(key) & mask;
    while (slots[at] !== key && slots[at + 1] !== 0) at = (at + 2) & mask;
    return at;
  }

  /** An even number. Its lower bits also depend on the key's upper ones. */
  private firstSlot(key: number): number {
    const [low, high] = this.multipliers;
    const product = Math.imul(key | 0, low) + Math.imul((key / WORD) | 0, high);
    return (product ^ (product >>> 16)) << 1;
  }

  private grow(): void {
    const { slots: old } = this;
    this.slots = new Float64Array(2 * old.length);
    for (let from = 0; from < old.length; from += 2) {
      if (old[from + 1] === 0) continue;
      const to = this.search(old[from] as number);
      this.slots[to] = old[from] as number;
      this.slots[to + 1] = old[from + 1] as number;
    }
  }
}

function randomOdd(): number {
  return Math.floor(Math.random() * WORD) | 1;
}
