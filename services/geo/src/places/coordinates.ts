/** Degrees as a plain decimal of at most 4 places, never an exponent, never "-0". */
export function formatDegrees(degrees: number): string {
  const trimmed = degrees.toFixed(4).replace(/\.?0+$/, "");
  return trimmed === "-0" ? "0" : trimmed;
}
