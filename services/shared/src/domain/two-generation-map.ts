/**
 * A bounded map that drops its oldest entries. New entries go to the young generation; when that is full, it becomes the
 * old one, and the previous old one is dropped as a whole. Deleting from the front of a single Map would be slow: V8 iterates over
 * all earlier deletions.
 */
export class TwoGenerationMap<Key, Value> {
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  readonly #maxYoung: number;
  readonly #weigh: (value: Value) => number;
  #youngWeight = 0;

  /**
   * @param maxYoung entries of one generation; the map holds at most twice as many.
   * @param options.weigh what an entry counts for, such as its bytes. Default: 1.
   */
  constructor(maxYoung: number, { weigh = () => 1 }: { weigh?: (value: Value) => number } = {}) {
    this.#maxYoung = maxYoung;
    this.#weigh = weigh;
  }

  /** Number of entries; a key in both generations counts twice. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    return young === undefined ? this.#old.get(key) : young;
  }

  /** Like get(), and keeps the entry: an old one becomes young again. */
  refresh(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  /** @param key not one of the young generation. */
  set(key: Key, value: Value): void {
    const weight = this.#weigh(value);
    if (this.#youngWeight + weight > this.#maxYoung) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngWeight = 0;
    }
    this.#youngWeight += weight;
    this.#young.set(key, value);
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
    this.#youngWeight = 0;
  }
}
