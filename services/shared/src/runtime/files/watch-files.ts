import type { BigIntStats } from "node:fs";
import { stat } from "node:fs/promises";

/** The result of one poll; `refused` and `missing` are returned once per change. */
export type PollResult = "unchanged" | "reloaded" | "refused" | "missing";

const MISSING = "missing";

/** Identifies a state of a file. */
export function signatureOf({ ino, size, mtimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs}`;
}

/** Identifies the current state of files; never throws. */
export async function currentSignature(paths: readonly string[]): Promise<string> {
  const signatures = await Promise.all(
    paths.map((path) => stat(path, { bigint: true }).then(signatureOf, () => MISSING)),
  );
  return signatures.join(", ");
}

/**
 * Watches files that belong together. Changed files are read once two consecutive polls find them unchanged, and used only if they
 * are still unchanged after that, so a file is never used while it is being written. Until the new files are valid, the old ones stay
 * in use.
 * @param options.signature the state of the files in use.
 * @param options.read reads and checks the files; if it throws, they are refused.
 * @param options.use receives the result.
 * @param options.onMissing called when a file is missing; default: `read` decides.
 * @param options.onRefused called with the reason, once per change or new reason.
 * @param options.retriesRefused whether refused files are reread at every poll, because they may become valid.
 * @param options.signal aborts on shutdown; an aborted read doesn't count as refused.
 */
export function watchFiles<Content>(options: {
  paths: readonly string[];
  signature: string;
  read: () => Promise<Content> | Content;
  use: (content: Content) => void;
  onMissing?: () => void;
  onRefused: (error: Error) => void;
  retriesRefused?: boolean;
  signal?: AbortSignal | undefined;
}): () => Promise<PollResult> {
  const { paths, read, use, onMissing, onRefused, retriesRefused = false, signal } = options;
  /** The last state that was handled: in use, refused or missing. */
  let settled = options.signature;
  let lastSeen = settled;
  /** Why the files are refused now; null if they aren't, or aren't retried. */
  let refusal: string | null = null;

  const refuse = (error: Error): PollResult => {
    const isKnown = error.message === refusal;
    if (retriesRefused) refusal = error.message;
    if (isKnown) return "unchanged";
    onRefused(error);
    return "refused";
  };

  return async () => {
    const current = await currentSignature(paths);
    const isStable = current === lastSeen;
    lastSeen = current;
    if (!isStable || (current === settled && refusal === null)) return "unchanged";
    if (onMissing && current.includes(MISSING)) {
      settled = current;
      onMissing();
      return "missing";
    }
    const content = await Promise.resolve()
      .then(read)
      .then(
        (value) => ({ value }),
        (error: Error) => ({ error }),
      );
    if (signal?.aborted || (await currentSignature(paths)) !== current) return "unchanged";
    settled = current;
    if ("error" in content) return refuse(content.error);
    refusal = null;
    use(content.value);
    return "reloaded";
  };
}
