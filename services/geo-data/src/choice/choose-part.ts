import { OLD_DATA_DAYS } from "@geolookup/shared/domain/old-data.ts";

/** The response of one of several sources of the same data. They are in order, the best one first. */
export interface Offer {
  offers: boolean;
  /** When the offered data was published, in milliseconds since the Unix epoch, if known. */
  publishedMs?: number | undefined;
}

/** The installed data: the position of its source in that order, and when it was built. */
export interface InUse {
  rank: number;
  builtMs: number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Chooses the first source that offers anything. It never replaces data with data of an earlier month, and uses a lower
 * source than the installed one only if the installed data is old.
 * @returns the source's position in the order; "keep" for the installed data; null if there is no data.
 */
export function choosePart(sources: readonly Offer[], inUse: InUse | null, nowMs: number): number | "keep" | null {
  const isBetter = ({ offers, publishedMs }: Offer, rank: number): boolean => {
    if (!offers || inUse === null || rank === inUse.rank) return offers;
    if (rank < inUse.rank) return publishedMs === undefined || monthOf(publishedMs) >= monthOf(inUse.builtMs);
    return publishedMs !== undefined && publishedMs > inUse.builtMs && isOld(inUse, nowMs);
  };
  const best = sources.findIndex(isBetter);
  if (best >= 0) return best;
  return inUse === null ? null : "keep";
}

/** Whether data is so old that it has missed an update. */
export function isOld({ builtMs }: InUse, nowMs: number): boolean {
  return nowMs - builtMs > OLD_DATA_DAYS * DAY_MS;
}

function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}
