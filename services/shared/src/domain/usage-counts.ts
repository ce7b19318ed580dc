import type { KeyCounts } from "./usage.ts";

/**
 * Counts by key number, at 12 bytes each. Usage keeps one of these per day, instance and
 * shard for more than a year; a Map would take several times as much memory.
 */
export class UsageCounts {
  /** Ascending. */
  private numbers = new Uint32Array(0);
  private counts = new Float64Array(0);

  get size(): number {
    return this.numbers.length;
  }

  /** The count of a key number; 0 if it has none. */
  get(number: number): number {
    const at = this.find(number);
    return at === -1 ? 0 : (this.counts[at] ?? 0);
  }

  /**
   * Raises counts to the given ones; lower ones are ignored.
   * @param numberOf returns the number of a key.
   * @param onRaise called with the growth of each.
   */
  raise(given: KeyCounts, numberOf: (keyId: string) => number, onRaise: (number: number, by: number) => void): void {
    const fresh: (readonly [number: number, count: number])[] = [];
    for (const [keyId, count] of given) {
      const number = numberOf(keyId);
      const at = this.find(number);
      const known = at === -1 ? 0 : (this.counts[at] ?? 0);
      if (count <= known) continue;
      if (at === -1) fresh.push([number, count]);
      else this.counts[at] = count;
      onRaise(number, count - known);
    }
    if (fresh.length > 0) this.insert(fresh);
  }

  /** Inserts key numbers that are not there yet. */
  private insert(fresh: (readonly [number: number, count: number])[]): void {
    fresh.sort(([a], [b]) => a - b);
    const length = this.numbers.length + fresh.length;
    const numbers = new Uint32Array(length);
    const counts = new Float64Array(length);
    let from = 0;
    let to = 0;
    const copyUntil = (end: number) => {
      numbers.set(this.numbers.subarray(from, end), to);
      counts.set(this.counts.subarray(from, end), to);
      to += end - from;
      from = end;
    };
    for (const [number, count] of fresh) {
      copyUntil(this.lowerBound(number));
      numbers[to] = number;
      counts[to] = count;
      to += 1;
    }
    copyUntil(this.numbers.length);
    this.numbers = numbers;
    this.counts = counts;
  }

  private find(number: number): number {
    // On a day when all keys are used, the position of each is its number.
    if (this.numbers[number] === number) return number;
    const at = this.lowerBound(number);
    return this.numbers[at] === number ? at : -1;
  }

  /** The position of a number, or where it would be inserted. */
  private lowerBound(number: number): number {
    let low = 0;
    let high = this.numbers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.numbers[middle] as number) < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
