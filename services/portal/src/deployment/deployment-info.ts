import type { Plans } from "@geolookup/shared/domain/plans.ts";
import type { ReportState } from "./kept-report.ts";

/** A loaded database and the attribution that its license requires. */
export interface DatabaseCredit {
  /** File name. */
  name: string;
  /** From its metadata, e.g. "GeoLite2-City". */
  databaseType: string;
  /** 0 if unknown. */
  buildUnixSeconds: number;
  /** Empty if none is required. */
  attribution: string;
  attributionUrl: string;
}

/** The rules for requests without a key. */
export interface KeylessRules {
  /** Requests per hour and caller; null if a key is required. */
  hourlyLimit: number | null;
  /** Callers in the same IPv6 network of this prefix length count as one. */
  ipv6Prefix: number;
}

/** What the operator says about the docs site. */
export interface SiteInfo {
  name: string;
  /** Where customers get help: a `mailto:` or `https:` URL; null if unknown. */
  contact: string | null;
  /** The terms of use, an `https:` URL; null if unknown. */
  terms: string | null;
  /** Whether the docs host has the console for operators. */
  hasConsole: boolean;
  /** What customers can do at `/account`: see what their keys have used (`on`), or also rotate them. Default: `off`, no page. */
  selfService?: "off" | "on" | "rotate";
}

/** The details of the deployment that the docs site shows. */
export interface DeploymentInfo {
  /** Base address of the docs site for browsers, without a trailing slash; null if unknown. */
  docsUrl: string | null;
  /** Base address of the API for browsers, without a trailing slash; null if unknown, which turns off the live demo. */
  apiUrl: string | null;
  /** A publishable key for the live demo; null for keyless requests. */
  demoKey: string | null;
  keyless: KeylessRules;
  site: SiteInfo;
  /** URIs for reporting vulnerabilities. Without any, there is no security.txt. */
  securityContacts: readonly string[];
  /** The configured plans, in order; null if unknown. */
  plans(): Plans | null;
  /** The loaded databases; null if unavailable. Never rejects. */
  databases(): Promise<readonly DatabaseCredit[] | null>;
  /** When newer data is looked for next, RFC 3339, UTC; null if nothing looks, or that is unknown. Never rejects. */
  nextRefreshAt(): Promise<string | null>;
  /** The report about the quality of the data. Never rejects. */
  report(): Promise<ReportState>;
}

/** The default address of the API: that of the docs without the `docs.` prefix, or null without that prefix. */
export function deriveApiUrl(docsUrl: string): string | null {
  const { protocol, host } = new URL(docsUrl);
  const apiHost = /^docs\.(.+)$/i.exec(host)?.[1];
  return apiHost === undefined ? null : `${protocol}//${apiHost}`;
}

/** Whether there is a page where customers see their usage. */
export function hasAccount({ selfService = "off" }: SiteInfo): boolean {
  return selfService !== "off";
}
