import { stat } from "node:fs/promises";
import { signatureOf } from "./whole-file.ts";

/** The answer of one poll of one file; `refused` and `missing` are given once per change. */
export type PollResult = "unchanged" | "reloaded" | "refused" | "missing";

/**
 * Follows one file. A change is acted upon when two polls in a row saw the file the same, so that none is
 * read while it is written.
 * @param options.signature the state of the file in use.
 * @param options.reload takes the changed file, and gives the signature of what it read. What it throws refuses the file.
 * @param options.onMissing told that the file is gone.
 * @param options.onRefused told why a change was refused.
 * @param options.signal aborts on shutdown; an aborted reload doesn't count as refused.
 */
export function followChanges(options: {
  path: string;
  signature: string;
  reload: () => Promise<string>;
  onMissing: () => void;
  onRefused: (error: Error) => void;
  signal?: AbortSignal | undefined;
}): () => Promise<PollResult> {
  const { path, reload, onMissing, onRefused, signal } = options;
  /** The state of the file that was dealt with last: in use, or refused. */
  let settled = options.signature;
  let seenAtLastPoll = settled;

  return async () => {
    const current = await currentSignature(path);
    const stable = current === seenAtLastPoll;
    seenAtLastPoll = current;
    if (current === settled || !stable) return "unchanged";
    settled = current;
    if (current === MISSING) {
      onMissing();
      return "missing";
    }
    try {
      settled = await reload();
      return "reloaded";
    } catch (error) {
      if (signal?.aborted) return "unchanged";
      onRefused(error as Error);
      return "refused";
    }
  };
}

const MISSING = "missing";

async function currentSignature(path: string): Promise<string> {
  try {
    return signatureOf(await stat(path, { bigint: true }));
  } catch {
    return MISSING;
  }
}
