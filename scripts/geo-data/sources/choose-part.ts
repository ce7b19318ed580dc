import { OLD_DATA_DAYS } from "@geolookup/shared/domain/old-data.ts";

/** What one of several sources of the same data said; they are in order, the best one first. */
export interface Answer {
  offers: boolean;
  /** When what it offers was published, milliseconds since the Unix epoch, if it says so. */
  publishedMs?: number | undefined;
}

/** What is installed: where its source is in that order, and when it was built. */
export interface InUse {
  rank: number;
  builtMs: number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Chooses the first source that offers anything, but never replaces data by older data, to the month; and by data of a
 * source further down only if the installed data is old.
 * @returns the source's place in the order; "keep" for what is installed; null if there is nothing at all.
 */
export function choosePart(answers: readonly Answer[], inUse: InUse | null, nowMs: number): number | "keep" | null {
  const isBetter = ({ offers, publishedMs }: Answer, rank: number): boolean => {
    if (!offers || inUse === null || rank === inUse.rank) return offers;
    if (rank < inUse.rank) return publishedMs === undefined || monthOf(publishedMs) >= monthOf(inUse.builtMs);
    return publishedMs !== undefined && publishedMs > inUse.builtMs && isOld(inUse, nowMs);
  };
  const best = answers.findIndex(isBetter);
  if (best >= 0) return best;
  return inUse === null ? null : "keep";
}

/** Whether data has missed an update. */
export function isOld({ builtMs }: InUse, nowMs: number): boolean {
  return nowMs - builtMs > OLD_DATA_DAYS * DAY_MS;
}

function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}
