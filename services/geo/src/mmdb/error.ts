/** What keeps a file from being a usable MaxMind DB: one line for an operator, without the file's name. */
export class MmdbError extends Error {
  override readonly name = "MmdbError";
  /** What fixes it, other than a good copy of the file. */
  readonly remedy: string | undefined;

  constructor(message: string, remedy?: string) {
    super(message);
    this.remedy = remedy;
  }
}
