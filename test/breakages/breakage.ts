/** A deliberate mistake in the code, and the tests that must fail because of it. */
export interface Breakage {
  /** What is wrong afterwards. */
  name: string;
  /** The folder or file that has the code. A folder survives moves of files inside it. */
  in: string;
  /** Code that occurs exactly once in `in`. Whitespace matches any whitespace. Keep it short, so that it survives rewrites. */
  find: string;
  replace: string;
  /** Test files, as globs. Use the cheapest that catch it. */
  tests: readonly string[];
  /** Runs only the tests whose titles contain this. */
  only?: string;
}
