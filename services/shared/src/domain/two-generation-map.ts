/** A generation's entries: a Map, or something faster for its keys. */
export interface Entries<Key, Value> {
  readonly size: number;
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/**
 * A bounded map that drops its oldest entries. New entries go to the young generation; when that is full, it becomes the
 * old one, and the previous old one is dropped as a whole. Deleting from the front of a single Map would be slow: V8 iterates over
 * all earlier deletions.
 */
export class TwoGenerationMap<Key, Value> {
  #young: Entries<Key, Value>;
  #old: Entries<Key, Value>;
  readonly #maxYoung: number;
  readonly #weigh: ((value: Value) => number) | undefined;
  readonly #onGeneration: (() => void) | undefined;
  readonly #createEntries: () => Entries<Key, Value>;
  #youngWeight = 0;

  /**
   * @param maxYoung entries of one generation; the map holds at most twice as many.
   * @param options.weigh what an entry counts for, such as its bytes. Default: 1. With it, set() is only for new keys.
   * @param options.onGeneration called when the young generation has become empty.
   * @param options.createEntries default: a Map.
   */
  constructor(
    maxYoung: number,
    options: {
      weigh?: (value: Value) => number;
      onGeneration?: () => void;
      createEntries?: () => Entries<Key, Value>;
    } = {},
  ) {
    this.#maxYoung = maxYoung;
    this.#weigh = options.weigh;
    this.#onGeneration = options.onGeneration;
    this.#createEntries = options.createEntries ?? (() => new Map<Key, Value>());
    this.#young = this.#createEntries();
    this.#old = this.#createEntries();
  }

  /** Whether the next set() starts a new generation, if all entries count for 1. */
  get isFull(): boolean {
    return this.#young.size >= this.#maxYoung;
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

  set(key: Key, value: Value): void {
    if (this.#weigh === undefined) {
      if (this.isFull) this.#startGeneration();
    } else {
      let weight = this.#weigh(value);
      if (this.#youngWeight + weight > this.#maxYoung) {
        this.#startGeneration();
        // The first entry of a generation shares nothing, so it may weigh more.
        weight = this.#weigh(value);
      }
      this.#youngWeight += weight;
    }
    this.#young.set(key, value);
  }

  /** Drops the old generation, and makes the young one old. */
  #startGeneration(): void {
    this.#old = this.#young;
    this.#young = this.#createEntries();
    this.#youngWeight = 0;
    this.#onGeneration?.();
  }

  clear(): void {
    this.#young = this.#createEntries();
    this.#old = this.#createEntries();
    this.#youngWeight = 0;
    this.#onGeneration?.();
  }
}
