import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Part, Published, Vendor } from "../sources/part.ts";
import type { Source } from "../store/source.ts";
import type { Candidate } from "./candidates.ts";
import { choosePart, isOld } from "./choose-part.ts";
import { keep, type Probe, probe } from "./probe.ts";
import type { RememberedFailures } from "./remembered-failures.ts";

export interface FreeOptions {
  /** Each a list of sources of the same data, the best one first. */
  candidates: readonly (readonly Candidate[])[];
  /** The last source of each list, with enough retries for a slow network. */
  lastResort: readonly Part[];
  /** The installed version, without damaged files. */
  installed: readonly Source[];
  /** Hosts. */
  unreachable: RememberedFailures;
  /** How long all sources together have to respond. */
  probeMs: number;
  /** Parts that turned out to be unusable, in this run or in the last week; added to. */
  failed: Set<string>;
  /** Milliseconds since the Unix epoch. */
  now: () => number;
}

/**
 * Combines the best free sources that respond into a vendor. All are queried in parallel, except hosts that are known to be
 * unreachable.
 * @returns the vendor, one line about the choice, and why better sources weren't chosen.
 * @throws StartError if no source has one kind of data, and none is installed.
 */
export async function freeVendor(
  options: FreeOptions,
): Promise<{ vendor: Vendor; reason: string; problems: string[] }> {
  const chosen = await Promise.all(
    options.candidates.map((candidates, index) => chooseOne(candidates, options.lastResort[index], options)),
  );
  const hosts = chosen.flatMap(({ hosts }) => hosts);
  await options.unreachable.remember(
    hosts.filter(({ isUnreachable }) => isUnreachable).map(({ host }) => host),
    hosts.filter(({ isUnreachable }) => !isUnreachable).map(({ host }) => host),
  );
  const names = new Set(chosen.map(({ description }) => description));
  const problems = [...new Set(chosen.flatMap(({ problems }) => problems))];
  return {
    vendor: { name: "the free sources", isDefault: true, parts: chosen.map(({ part }) => part) },
    reason: [[...names].join(" and "), ...problems].join("; "),
    problems,
  };
}

interface Chosen {
  part: Part;
  /** What was chosen, for the operator. */
  description: string;
  /** Why nothing better. */
  problems: string[];
  hosts: { host: string; isUnreachable: boolean }[];
}

async function chooseOne(
  candidates: readonly Candidate[],
  lastResort: Part | undefined,
  options: FreeOptions,
): Promise<Chosen> {
  const { unreachable, failed, probeMs, now } = options;
  const rank = candidates.findIndex(({ part }) => options.installed.some(({ name }) => name === part.name));
  const installed = options.installed.find(({ name }) => name === candidates[rank]?.part.name) ?? null;
  const inUse = installed && { rank, builtMs: builtMsOf(installed) };
  const hosts: Chosen["hosts"] = [];
  const askAll = (some: readonly Candidate[]) =>
    Promise.all(
      some.map(async (candidate): Promise<Probe> => {
        const { host, part } = candidate;
        if (failed.has(part.name)) return { offers: false, reason: `${part.name} can't be used`, isUnreachable: false };
        const since = unreachable.since(host);
        if (since !== null) return { offers: false, reason: unreachableMessage(host, since), isUnreachable: false };
        const probed = await probe(candidate, installed, probeMs);
        hosts.push({ host, isUnreachable: !probed.offers && probed.isUnreachable });
        return probed;
      }),
    );
  // A source below the installed one matters only if the installed one has had nothing new for a long time.
  const probes = await askAll(inUse ? candidates.slice(0, rank + 1) : candidates);
  let choice = choosePart(probes, inUse, now());
  if (choice === "keep" && inUse && isOld(inUse, now())) {
    probes.push(...(await askAll(candidates.slice(probes.length))));
    choice = choosePart(probes, inUse, now());
  }
  const above = probes.slice(0, choice === "keep" ? rank + 1 : (choice ?? probes.length));
  const problems = above.flatMap((probed) => (probed.offers ? [] : [probed.reason]));
  if (choice === null) {
    if (!lastResort || failed.has(lastResort.name)) throw new StartError(noSourceMessage(problems));
    return { part: lastResort, description: "trying npm packages", problems, hosts };
  }
  const candidate = candidates[choice === "keep" ? rank : choice] as Candidate;
  const probed = choice === "keep" ? null : probes[choice];
  const published = probed?.offers ? probed.published : keep(installed as Source);
  return {
    part: offering(candidate.part, published, failed),
    description: `${candidate.title} of ${dateOf(published)}`,
    problems,
    hosts,
  };
}

/** A part that was already queried. If its data can't be used, it is added to `failed`. */
function offering(part: Part, published: Published, failed: Set<string>): Part {
  const fetch = async (folder: string) => {
    try {
      return await published.fetch(folder);
    } catch (error) {
      if (error instanceof StartError) failed.add(part.name);
      throw error;
    }
  };
  return { ...part, find: async () => ({ ...published, fetch }) };
}

/** When a source was built: the date of its oldest file. 1970 if any file has no date. */
function builtMsOf({ files }: Source): number {
  return Math.min(...files.map(({ buildUnixSeconds }) => buildUnixSeconds)) * 1_000;
}

/** The month or day in a version; npm's are `2.3.2026060513`. */
function dateOf({ version }: Published): string {
  const [, year, month] = /\.(\d{4})(\d{2})\d{4}$/.exec(version) ?? [];
  return year ? `${year}-${month}` : version;
}

function unreachableMessage(host: string, since: number): string {
  return `${host} could not be reached at ${new Date(since).toISOString().slice(11, 16)} UTC`;
}

function noSourceMessage(problems: readonly string[]): string {
  return `no source of geo data can be used: ${[...new Set(problems)].join("; ")}; fix one of them and run it again, or set GEO_DATABASES to your own files`;
}
