import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { type FetchPatience, fetchPersistently, type Resource } from "../../download/fetch-persistently.ts";
import type { Progress } from "../../download/progress.ts";
import { downloadVerified, readChecksum } from "../../download/sha256.ts";

/** A MaxMind account, and what to download with it. */
export interface MaxmindAccount {
  accountId: string;
  licenseKey: string;
  /** In priority order. */
  editions: readonly string[];
  /** Without a trailing slash. */
  url: string;
}

/** The newest archive of an edition. */
export interface Release {
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

/** Looks up the newest archive of an edition. @throws StartError */
export async function fetchRelease(edition: string, options: Options): Promise<Release> {
  const resource = resourceOf(edition, "tar.gz.sha256", options);
  return fetchPersistently(
    resource,
    options.patience,
    async (response, alive) => {
      const checksum = await readChecksum(response, alive);
      const [, file, date] = /^(\S+?)_(\d{8})\.tar\.gz$/.exec(checksum?.name ?? "") ?? [];
      if (!checksum || !date || file !== edition)
        throw new StartError(
          `${resource.url} didn't return the SHA-256 of ${edition}; nothing was changed. If this persists, MaxMind's service has changed and this version of geolookup can't use it`,
        );
      return { version: date, integrity: `sha256-${checksum.sha256}` };
    },
    options.now,
  );
}

/**
 * Downloads an edition's archive and checks it.
 * @returns its Last-Modified header.
 * @throws StartError
 */
export function downloadArchive(
  edition: string,
  { version, integrity }: Release,
  file: string,
  options: Options,
): Promise<string | null> {
  return downloadVerified(resourceOf(edition, "tar.gz", options), file, {
    ...options,
    sha256: integrity.slice("sha256-".length),
    label: `${edition} ${version}`,
    different: `the download of ${edition} ${version} isn't what MaxMind published (SHA-256 differs); nothing was changed; try again`,
  });
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
    return "MaxMind does not accept MAXMIND_ACCOUNT_ID with MAXMIND_LICENSE_KEY (401); check both in your MaxMind account; a new key takes a few minutes to work";
  if (status === 403)
    return `your MaxMind account isn't allowed to download ${edition} (403); see the downloads in your account`;
  if (status === 404) return `MaxMind has no edition ${edition} (404); check MAXMIND_EDITIONS`;
  if (status === 429 && !saysWhen)
    return "MaxMind's daily download limit is reached (429); try again tomorrow, and download once for all machines";
  return null;
}
