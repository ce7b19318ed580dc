/** A point that can't be tested here; the message says why. */
export class Skipped extends Error {
  override readonly name = "Skipped";
}
