/** The median of several measurements, and their range. */
export interface Spread {
  median: number;
  minimum: number;
  maximum: number;
}

/** @param values at least one; NaN for an empty list. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const half = (sorted.length - 1) / 2;
  return {
    median: (at(Math.floor(half)) + at(Math.ceil(half))) / 2,
    minimum: at(0),
    maximum: at(sorted.length - 1),
  };
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/**
 * The ratio of two contestants in the same rounds, so that a temporary slowdown of the machine affects both.
 * @param measured one value per round.
 * @param reference the other's, in the same rounds.
 */
export function ratioOf(measured: readonly number[], reference: readonly number[]): Spread {
  const rounds = Math.min(measured.length, reference.length);
  return spreadOf(Array.from({ length: rounds }, (_, round) => (measured[round] ?? 0) / (reference[round] ?? 0)));
}
