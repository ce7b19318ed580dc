import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { type FetchPatience, fetchPersistently, type Resource } from "../../download/fetch-persistently.ts";
import type { Progress } from "../../download/progress.ts";
import { saveBody } from "../../download/save-body.ts";

/** A MaxMind account, and what to download with it. */
export interface MaxmindAccount {
  accountId: string;
  licenseKey: string;
  /** In priority order. */
  editions: readonly string[];
  /** Without a trailing slash. */
  url: string;
}

/** What MaxMind publishes about an edition's archive. */
export interface Checksum {
  /** The day of the release, `20261120`. */
  version: string;
  /** `sha256-` and the hexadecimal hash of the archive. */
  integrity: string;
}

interface Options extends MaxmindAccount {
  patience: FetchPatience;
  now: () => number;
  progress: (label: string) => Progress;
  maxBytes: number;
}

const MAX_CHECKSUM_BYTES = 1_024;

/**
 * Checks whether an edition is unchanged since a Last-Modified header. Such a check doesn't count toward MaxMind's daily
 * download limit
 * (https://dev.maxmind.com/geoip/updating-databases/#checking-for-the-latest-release-date).
 * @throws StartError
 */
export async function isUnchanged(edition: string, lastModified: string, options: Options): Promise<boolean> {
  const resource = resourceOf(edition, "tar.gz", options);
  return fetchPersistently(
    { ...resource, method: "HEAD", headers: { ...resource.headers, "if-modified-since": lastModified } },
    options.patience,
    async (response) => response.status === 304 || response.headers.get("last-modified") === lastModified,
    options.now,
  );
}

/** Fetches the SHA-256 of an edition's archive. @throws StartError */
export async function fetchChecksum(edition: string, options: Options): Promise<Checksum> {
  const resource = resourceOf(edition, "tar.gz.sha256", options);
  return fetchPersistently(
    resource,
    options.patience,
    async (response, alive) => {
      let text = "";
      for await (const chunk of response.body ?? []) {
        alive();
        text += Buffer.from(chunk).toString("latin1");
        if (text.length > MAX_CHECKSUM_BYTES) break;
      }
      // In the format of sha256sum: "<hash>  GeoLite2-City_20261120.tar.gz".
      const [, hash, file, date] = /^([0-9a-f]{64})\s+\*?(\S+?)_(\d{8})\.tar\.gz\s*$/i.exec(text) ?? [];
      if (!hash || !date || file !== edition)
        throw new StartError(
          `${resource.url} didn't return the SHA-256 of ${edition}; nothing was changed. If this persists, MaxMind's service has changed and this version of geolookup can't use it`,
        );
      return { version: date, integrity: `sha256-${hash.toLowerCase()}` };
    },
    options.now,
  );
}

/**
 * Downloads an edition's archive and checks it.
 * @returns its Last-Modified header.
 * @throws StartError
 */
export async function downloadArchive(
  edition: string,
  { version, integrity }: Checksum,
  file: string,
  options: Options,
): Promise<string | null> {
  return fetchPersistently(
    resourceOf(edition, "tar.gz", options),
    options.patience,
    async (response, alive) => {
      const hash = await saveBody(response, file, {
        hash: "sha256",
        encoding: "hex",
        alive,
        progress: options.progress(`${edition} ${version}`),
        maxBytes: options.maxBytes,
      });
      if (`sha256-${hash}` !== integrity)
        throw new StartError(
          `the download of ${edition} ${version} isn't what MaxMind published (SHA-256 differs); nothing was changed; try again`,
        );
      return response.headers.get("last-modified");
    },
    options.now,
  );
}

function resourceOf(edition: string, suffix: string, { url, accountId, licenseKey }: Options): Resource {
  return {
    url: `${url}/geoip/databases/${edition}/download?suffix=${suffix}`,
    headers: { authorization: `Basic ${Buffer.from(`${accountId}:${licenseKey}`).toString("base64")}` },
    server: "MaxMind",
    setting: "a firewall: MaxMind redirects to a host of Cloudflare's",
    explain: ({ status, headers }) => explain(status, edition, headers.has("retry-after")),
  };
}

/** The meaning of MaxMind's statuses for which retrying doesn't help. */
function explain(status: number, edition: string, saysWhen: boolean): string | null {
  if (status === 401)
    return "MaxMind does not accept MAXMIND_ACCOUNT_ID with MAXMIND_LICENSE_KEY (401); look at both in your account there; a new key is accepted after some minutes";
  if (status === 403)
    return `your MaxMind account isn't allowed to download ${edition} (403); see the downloads in your account`;
  if (status === 404) return `MaxMind has no edition ${edition} (404); check MAXMIND_EDITIONS`;
  if (status === 429 && !saysWhen)
    return "MaxMind's daily download limit is reached (429); try again tomorrow, and download once for all machines";
  return null;
}
