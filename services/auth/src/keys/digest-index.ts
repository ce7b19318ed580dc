/** SHA-256. */
export const DIGEST_BYTES = 32;
/** A power of two, as is the length of the table. */
const INITIAL_ROWS = 256;
/** Places in the table per row, at least. So a search usually looks at one or two. */
const PLACES_PER_ROW = 2;

/**
 * Finds a key's row by the key's SHA-256: a hash table in typed arrays. When many keys are in use, a request's cost is mostly memory
 * accesses. A search takes two here and about five in a Map of strings, which also needs more memory.
 */
export class DigestIndex {
  /** By row. */
  private digests = Buffer.alloc(INITIAL_ROWS * DIGEST_BYTES);
  /**
   * Two numbers per place: the last four bytes of a digest, and its row plus 1; 0 if the place is free. A digest is at the place that
   * its last bytes name, or the next free one.
   */
  private places = new Int32Array(2 * INITIAL_ROWS * PLACES_PER_ROW);
  private rows = 0;

  /** Adds the digest of the next row. If an earlier row has the same one, it isn't found anymore. */
  add(digest: Uint8Array): void {
    if (this.rows * DIGEST_BYTES === this.digests.length) this.grow();
    this.digests.set(digest.subarray(0, DIGEST_BYTES), this.rows * DIGEST_BYTES);
    this.rows += 1;
    this.place(this.rows - 1);
  }

  /** @param digest one character per byte (latin1). */
  find(digest: string): number | undefined {
    const at = this.search(digest);
    const row = (this.places[at + 1] as number) - 1;
    return row === -1 ? undefined : row;
  }

  /** The digests of some rows, one after the other. Not a copy; they never change. */
  digestsOf(from: number, to: number): Buffer {
    return this.digests.subarray(from * DIGEST_BYTES, to * DIGEST_BYTES);
  }

  private place(row: number): void {
    const digest = this.digestsOf(row, row + 1).toString("latin1");
    const at = this.search(digest);
    this.places[at] = lastBytes(digest);
    this.places[at + 1] = row + 1;
  }

  /** The position of a digest's place, or of the free one where it belongs. */
  private search(digest: string): number {
    const { places } = this;
    const last = lastBytes(digest);
    const mask = places.length - 1;
    for (let at = (last << 1) & mask; ; at = (at + 2) & mask) {
      const next = places[at + 1] as number;
      if (next === 0 || (places[at] === last && this.hasDigest(next - 1, digest))) return at;
    }
  }

  private hasDigest(row: number, digest: string): boolean {
    const { digests } = this;
    const start = row * DIGEST_BYTES;
    for (let i = 0; i < DIGEST_BYTES; i++) if (digests[start + i] !== digest.charCodeAt(i)) return false;
    return true;
  }

  private grow(): void {
    const digests = Buffer.alloc(2 * this.digests.length);
    digests.set(this.digests);
    this.digests = digests;
    this.places = new Int32Array(2 * this.places.length);
    for (let row = 0; row < this.rows; row++) this.place(row);
  }
}

function lastBytes(digest: string): number {
  let number = 0;
  for (let i = DIGEST_BYTES - 4; i < DIGEST_BYTES; i++) number = (number << 8) | digest.charCodeAt(i);
  return number;
}
