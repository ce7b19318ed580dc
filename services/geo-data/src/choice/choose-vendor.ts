import { join } from "node:path";
import type { Config } from "../config.ts";
import { MAX_ARCHIVE_BYTES } from "../download/save-body.ts";
import type { Refetch } from "../fetch/decide.ts";
import type { MaxmindAccount } from "../sources/maxmind/maxmind-downloads.ts";
import { maxmindVendor } from "../sources/maxmind/maxmind-parts.ts";
import { npmVendor } from "../sources/npm/npm-parts.ts";
import { PINS_FILE, readPins } from "../sources/npm/pins.ts";
import { isFreePart, type SourceOptions, type Vendor } from "../sources/part.ts";
import type { Installed } from "../store/installed.ts";
import { type Candidate, freeCandidates } from "./candidates.ts";
import { freeVendor } from "./free-vendor.ts";
import { readFailures } from "./remembered-failures.ts";

/** How long all free sources together have to respond. */
const PROBE_MS = 2_000;
const HOST_RETRY_AFTER_MS = 60 * 60 * 1_000;

/** For the operator. */
const NAMES: Readonly<Record<Candidate["source"], string>> = {
  dbip: "DB-IP",
  sapics: "ip-location-db",
  npm: "the npm registry",
};

export interface ChooseOptions extends SourceOptions {
  /** The folder of the installed versions. */
  folder: string;
  /** The installed version: only newer data is requested. */
  installed: Installed | null;
  refetch: Refetch;
  /** If nothing is installed, use the source that is most likely available. Better data follows soon. */
  isHurried: boolean;
  /** Whether to try hosts that were unreachable in the last hour. */
  triesAll: boolean;
  /** Parts that turned out to be unusable, in this run or in the last week; free ones are added to. */
  failed: Set<string>;
  /** Limits and URLs that tests override. */
  probeMs?: number;
  maxBytes?: number;
  dbipUrl?: string;
  sapicsUrl?: string;
  pinsFile?: string;
}

/** A vendor, and the reason for choosing it, for the operator; null if there was no choice. */
export interface Choice {
  vendor: Vendor;
  reason: string | null;
  /** Why better sources weren't chosen; empty if there are none. */
  problems?: readonly string[];
}

/**
 * Chooses the source of geo data in the settings, or the best free sources that respond.
 * @throws StartError if none responds.
 */
export async function chooseVendor(config: Config, options: ChooseOptions): Promise<Choice> {
  const { source, maxmind, mirror } = config;
  if (source === "auto" && maxmind === null) return chooseFree(config, options);
  if (source === "dbip" || source === "sapics" || source === "npm") {
    const urls = mirror === null ? {} : { dbipUrl: mirror, sapicsUrl: mirror };
    const candidates = freeCandidates({ ...options, ...registryAndPins(config, options), ...urls });
    const parts = candidates.flat().filter((candidate) => candidate.source === source);
    return {
      vendor: { name: NAMES[source], isDefault: false, parts: parts.map(({ part }) => part) },
      reason: null,
    };
  }
  const account = { ...(maxmind as MaxmindAccount), ...(mirror === null ? {} : { url: mirror }) };
  return { vendor: maxmindVendor({ ...options, ...account, maxBytes: MAX_ARCHIVE_BYTES }), reason: null };
}

async function chooseFree(config: Config, options: ChooseOptions): Promise<Choice> {
  const { folder, refetch, isHurried, triesAll, failed, patience, now, probeMs = PROBE_MS } = options;
  const npm = fromNpm(config, options);
  const installed = refetch === "force" ? null : options.installed;
  const isWhole = installed?.damaged.length === 0;
  // Data that an operator chose stays. So does complete data without --update or --force.
  if (installed && (!installed.stored.sources.every(isFreePart) || (refetch === "no" && isWhole)))
    return { vendor: npm, reason: null };
  if (installed === null && isHurried)
    return { vendor: npm, reason: "npm packages to start with; newer data is downloaded while the service runs" };
  const findPatience = { ...patience, attempts: 1, silenceMs: probeMs, totalMs: probeMs };
  const sources = installed?.stored.sources ?? [];
  return freeVendor({
    candidates: freeCandidates({ ...options, ...registryAndPins(config, options), findPatience }),
    lastResort: npm.parts,
    installed: sources.filter(({ files }) => !files.some(({ name }) => installed?.damaged.includes(name))),
    unreachable: await readFailures(join(folder, "unreachable.json"), {
      retryAfterMs: HOST_RETRY_AFTER_MS,
      nowMs: now(),
      triesAll,
    }),
    probeMs,
    failed,
    now,
  });
}

function fromNpm(config: Config, options: ChooseOptions): Vendor {
  return npmVendor({ ...options, ...registryAndPins(config, options) });
}

function registryAndPins(
  { source, mirror, registry }: Config,
  { pinsFile = PINS_FILE }: Pick<ChooseOptions, "pinsFile">,
) {
  return { registry: source === "npm" && mirror !== null ? `${mirror}/` : registry, pins: readPins(pinsFile) };
}
