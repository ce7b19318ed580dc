const COMMA = 0x2c;
const ZERO = 0x30;
const FIRST_BYTES = 4_096;

/** The digits of the largest safe integer, and a comma. */
const MAX_BYTES_PER_COUNT = 17;

/**
 * Counts that only grow and are repeatedly written as the members of a JSON object. The names are stored as contiguous text:
 * writing a thousand names scattered in memory takes ten times as long.
 */
export class CountsText {
  private readonly indexes = new Map<string, number>();
  private readonly counts: number[] = [];
  /** Every name as JSON with its colon. `nameEnds` has the end of each. */
  private names = Buffer.allocUnsafe(FIRST_BYTES);
  private readonly nameEnds: number[] = [];
  private namesLength = 0;

  /** Raises counts to the given ones; lower ones are ignored. @returns whether any was raised. */
  raise(given: Iterable<readonly [keyId: string, count: number]>): boolean {
    let raised = false;
    for (const [keyId, count] of given) {
      const index = this.indexes.get(keyId);
      if (index === undefined) {
        if (count <= 0) continue;
        this.add(keyId, count);
      } else {
        if (count <= (this.counts[index] as number)) continue;
        this.counts[index] = count;
      }
      raised = true;
    }
    return raised;
  }

  *[Symbol.iterator](): Generator<[keyId: string, count: number]> {
    for (const [keyId, index] of this.indexes) yield [keyId, this.counts[index] as number];
  }

  /** All counts, between two texts in Latin-1. */
  write(before: string, after: string): Buffer {
    const { counts, nameEnds, names } = this;
    const bytes = Buffer.allocUnsafe(
      before.length + this.namesLength + MAX_BYTES_PER_COUNT * counts.length + after.length,
    );
    let at = bytes.write(before, "latin1");
    let from = 0;
    for (let index = 0; index < counts.length; index += 1) {
      if (index > 0) bytes[at++] = COMMA;
      const end = nameEnds[index] as number;
      while (from < end) bytes[at++] = names[from++] as number;
      at = writeDigits(bytes, at, counts[index] as number);
    }
    at += bytes.write(after, at, "latin1");
    return bytes.subarray(0, at);
  }

  private add(keyId: string, count: number): void {
    const name = Buffer.from(`${JSON.stringify(keyId)}:`);
    const length = this.namesLength + name.length;
    if (length > this.names.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.names.length));
      this.names.copy(larger, 0, 0, this.namesLength);
      this.names = larger;
    }
    name.copy(this.names, this.namesLength);
    this.namesLength = length;
    this.indexes.set(keyId, this.counts.length);
    this.counts.push(count);
    this.nameEnds.push(length);
  }
}

/** Writes a whole number, last digit first. @returns the end position. */
function writeDigits(bytes: Buffer, start: number, count: number): number {
  let end = start + 1;
  for (let rest = count; rest >= 10; rest = Math.floor(rest / 10)) end += 1;
  let rest = count;
  for (let at = end - 1; at >= start; at -= 1) {
    bytes[at] = ZERO + (rest % 10);
    rest = Math.floor(rest / 10);
  }
  return end;
}
