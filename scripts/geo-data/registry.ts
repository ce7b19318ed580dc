import { StartError } from "@geolookup/shared/runtime/start-error.ts";
import { type FetchPatience, fetchPersistently, type Resource } from "./fetch-persistently.ts";
import type { Progress } from "./progress.ts";
import { LONGEST_ARCHIVE_BYTES, saveBody } from "./save-body.ts";

const DEFAULT_REGISTRY = "https://registry.npmjs.org/";

/** A published version of an npm package. */
export interface PublishedPackage {
  name: string;
  version: string;
  tarballUrl: string;
  /** Subresource integrity with SHA-512, as npm publishes it. */
  integrity: string;
}

/** The registry to use: npm's own setting, which `npm run` hands on, else the public one. */
export function registryOf(environment: Readonly<Record<string, string | undefined>>): string {
  const registry = environment.npm_config_registry || DEFAULT_REGISTRY;
  if (!URL.canParse(registry)) throw new StartError(`npm_config_registry is no URL: ${JSON.stringify(registry)}`);
  return registry.endsWith("/") ? registry : `${registry}/`;
}

/**
 * Asks a registry for the newest version of a package.
 * @throws StartError when the registry cannot be reached, does not have it, or does not state a SHA-512.
 */
export async function findPackage(registry: string, name: string, patience: FetchPatience): Promise<PublishedPackage> {
  const url = `${registry}${name.replace("/", "%2f")}`;
  return fetchPersistently(
    {
      ...fromRegistry(url),
      headers: { accept: "application/vnd.npm.install-v1+json, application/json" },
    },
    patience,
    async (response) => {
      const document: unknown = await response.json();
      const version = at(at(document, "dist-tags"), "latest");
      const dist = at(at(at(document, "versions"), version), "dist");
      const tarballUrl = at(dist, "tarball");
      const integrity = String(at(dist, "integrity") ?? "")
        .split(" ")
        .find((hash) => hash.startsWith("sha512-"));
      if (typeof version !== "string" || typeof tarballUrl !== "string" || !URL.canParse(tarballUrl))
        throw new StartError(`${url} does not describe an npm package; is npm_config_registry set to a registry?`);
      if (!integrity)
        throw new StartError(`the registry states no SHA-512 for ${name} ${version}, so it cannot be checked`);
      return { name, version, tarballUrl, integrity };
    },
  );
}

/**
 * Downloads a package's tarball into a file and checks it against the registry's SHA-512.
 * @throws StartError when it cannot be had or is not what the registry published; an error of the disk as it is.
 */
export async function downloadTarball(
  published: PublishedPackage,
  file: string,
  options: { patience: FetchPatience; progress: Progress },
): Promise<void> {
  await fetchPersistently(fromRegistry(published.tarballUrl), options.patience, async (response, alive) => {
    const hash = await saveBody(response, file, {
      hash: "sha512",
      encoding: "base64",
      alive,
      progress: options.progress,
      longestBytes: LONGEST_ARCHIVE_BYTES,
    });
    if (`sha512-${hash}` !== published.integrity)
      throw new StartError(
        `the download of ${published.name} ${published.version} is not what the registry published (SHA-512 differs); nothing was changed; run it again`,
      );
  });
}

function fromRegistry(url: string): Resource {
  return { url, server: "the registry", setting: "npm_config_registry" };
}

function at(value: unknown, key: unknown): unknown {
  return typeof value === "object" && value !== null && typeof key === "string"
    ? (value as Record<string, unknown>)[key]
    : undefined;
}
