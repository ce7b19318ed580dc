import { DBIP_URL, dbipAsnPart, dbipCityPart } from "../sources/dbip/dbip-parts.ts";
import { npmParts } from "../sources/npm/npm-parts.ts";
import { type Pins, pinOf } from "../sources/npm/pins.ts";
import { MAX_FREE_DATABASE_BYTES, type Part, type SourceOptions } from "../sources/part.ts";
import { SAPICS_URL, sapicsAsnPart, sapicsCityPart } from "../sources/sapics/sapics-parts.ts";
import type { Source } from "../store/source.ts";

/** One of several sources of the same data. */
export interface Candidate {
  part: Part;
  /** As in GEO_DATA_SOURCE. */
  source: "dbip" | "sapics" | "npm";
  /** For the operator: "DB-IP City Lite". */
  title: string;
  /** The host to reach. */
  host: string;
  /** Whether it is known, without a request, that it has nothing newer than the installed data. */
  isNewest: (installed: Source) => boolean;
}

export interface CandidateOptions extends SourceOptions {
  registry: string;
  pins: Pins;
  /** Limits and URLs that tests override. */
  maxBytes?: number;
  dbipUrl?: string;
  sapicsUrl?: string;
}

/**
 * The free sources of places and of networks, the best one first. For networks, origin-asn is preferred because it is built
 * daily.
 */
export function freeCandidates(options: CandidateOptions): Candidate[][] {
  const { registry, pins, dbipUrl = DBIP_URL, sapicsUrl = SAPICS_URL, maxBytes = MAX_FREE_DATABASE_BYTES } = options;
  const dbip = { ...options, url: dbipUrl, maxBytes };
  const sapics = { ...options, url: sapicsUrl, maxBytes };
  const isNewest = () => false;
  const fromDbip = { source: "dbip", host: new URL(dbipUrl).host, isNewest } as const;
  const fromSapics = { source: "sapics", host: new URL(sapicsUrl).host, isNewest } as const;
  const [npmCity, npmAsn] = npmParts(options).map((part) => ({
    part,
    source: "npm",
    title: "npm packages",
    host: new URL(registry).host,
    isNewest: ({ integrity }: Source) => integrity === pinOf(pins, part.name).integrity,
  })) as [Candidate, Candidate];
  return [
    [
      { ...fromDbip, part: dbipCityPart(dbip), title: "DB-IP City Lite" },
      { ...fromSapics, part: sapicsCityPart(sapics), title: "DB-IP City Lite from ip-location-db" },
      npmCity,
    ],
    [
      { ...fromSapics, part: sapicsAsnPart(sapics), title: "origin-asn" },
      { ...fromDbip, part: dbipAsnPart(dbip), title: "DB-IP ASN Lite" },
      npmAsn,
    ],
  ];
}
