import type { Plans } from "@geolookup/shared/domain/plans.ts";

/** What the license of a loaded database asks to be shown with its data. */
export interface DatabaseCredit {
  /** File name without its folder. */
  name: string;
  /** As its metadata state it, e.g. "GeoLite2-City". */
  databaseType: string;
  /** 0: not known. */
  buildUnixSeconds: number;
  /** Empty when nothing is asked for. */
  attribution: string;
  attributionUrl: string;
}

/** What is served without a key. */
export interface KeylessRules {
  /** Requests an hour and caller; null: none, a key is needed. */
  hourlyLimit: number | null;
  /** Callers within one IPv6 network of this length count as one. */
  ipv6Prefix: number;
}

/** What the docs site tells of the deployment that it belongs to. */
export interface Site {
  /** Base address of this site as browsers know it, without a slash at the end; null: not told. */
  docsUrl: string | null;
  /** The same of the API. Null: not told, so there is no live demo. */
  apiUrl: string | null;
  /** A publishable key for the live demo; null: it asks without a key. */
  demoKey: string | null;
  keyless: KeylessRules;
  /** Where to report a vulnerability, as URIs; none: there is no security.txt. */
  securityContacts: readonly string[];
  /** The configured plans, in their order; null: not told. */
  plans(): Plans | null;
  /** The databases that answers are made from; null: nobody could tell just now. Never rejects. */
  databases(): Promise<readonly DatabaseCredit[] | null>;
}

/** Where the API is when nobody says: beside the docs, without their `docs.`. Null when they have none. */
export function apiUrlBeside(docsUrl: string): string | null {
  const { protocol, host } = new URL(docsUrl);
  const apiHost = /^docs\.(.+)$/i.exec(host)?.[1];
  return apiHost === undefined ? null : `${protocol}//${apiHost}`;
}
