import { DigestIndex } from "@geolookup/shared/domain/digest-index.ts";

/** A map by SHA-256. When many keys are in use, a search is several memory accesses faster than in a Map (digest-index.ts). */
export class DigestMap<Value> {
  private indexes = new DigestIndex();
  private values: (Value | undefined)[] = [];
  /** Indexes of deleted values. */
  private unused: number[] = [];

  get size(): number {
    return this.indexes.size;
  }

  /** @param digest one character per byte (latin1), like every digest in this class. */
  get(digest: string): Value | undefined {
    const index = this.indexes.get(digest);
    return index === undefined ? undefined : this.values[index];
  }

  set(digest: string, value: Value): void {
    const known = this.indexes.get(digest);
    const index = known ?? this.unused.pop() ?? this.values.length;
    this.values[index] = value;
    if (known === undefined) this.indexes.set(digest, index);
  }

  delete(digest: string): void {
    const index = this.indexes.get(digest);
    if (index === undefined) return;
    this.indexes.delete(digest);
    this.values[index] = undefined;
    this.unused.push(index);
  }

  clear(): void {
    this.indexes = new DigestIndex();
    this.values = [];
    this.unused = [];
  }
}
