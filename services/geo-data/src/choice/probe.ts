import { setTimeout as delay } from "node:timers/promises";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { UnreachableError } from "../download/fetch-persistently.ts";
import type { Part, Published } from "../sources/part.ts";
import type { Source } from "../store/source.ts";
import type { Candidate } from "./candidates.ts";

/** A source's response to a probe. */
export type Probe =
  | { offers: true; published: Published; publishedMs: number | undefined }
  /** Why it offers nothing, for the operator, and whether its host was reached. */
  | { offers: false; reason: string; isUnreachable: boolean };

/**
 * Asks a source what it offers.
 * @param installed the installed version of the same data, from this source or another one.
 * @param probeMs the time limit for all of its requests.
 */
export async function probe(
  { part, host, isNewest }: Candidate,
  installed: Source | null,
  probeMs: number,
): Promise<Probe> {
  const before = installed?.name === part.name ? installed : null;
  if (before && isNewest(before)) return offer(keep(before));
  const late = new AbortController();
  const timedOut = delay(probeMs, null, { signal: late.signal }).then(
    (): Probe => ({ offers: false, reason: `${host} could not be reached`, isUnreachable: true }),
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([ask(part, before, host), timedOut]);
  } finally {
    late.abort();
  }
}

async function ask(part: Part, before: Source | null, host: string): Promise<Probe> {
  try {
    return offer(await part.find(before));
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return error instanceof UnreachableError
      ? { offers: false, reason: `${host} could not be reached`, isUnreachable: true }
      : { offers: false, reason: error.message, isUnreachable: false };
  }
}

function offer(published: Published): Probe {
  return { offers: true, published, publishedMs: published.publishedMs };
}

/** The installed data as an offer: with its own hash, so that it isn't fetched again. */
export function keep(installed: Source): Published {
  const { name, version, integrity } = installed;
  return {
    version,
    integrity,
    fetch: () => Promise.reject(new StartError(`${name} ${version} is installed and isn't downloaded again`)),
  };
}
