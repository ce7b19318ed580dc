import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { type FetchPatience, fetchPersistently, type Resource } from "../../download/fetch-persistently.ts";
import type { Progress } from "../../download/progress.ts";
import { MAX_ARCHIVE_BYTES, saveBody } from "../../download/save-body.ts";
import type { Pin } from "./pins.ts";

const DEFAULT_REGISTRY = "https://registry.npmjs.org/";

/** A published version of an npm package. */
export interface PublishedPackage {
  name: string;
  version: string;
  tarballUrl: string;
  /** Subresource integrity with SHA-512, as npm publishes it. */
  integrity: string;
}

/** The registry to use: npm's own setting, which `npm run` passes on, or else the public one. */
export function registryOf(environment: Readonly<Record<string, string | undefined>>): string {
  const registry = environment.npm_config_registry || DEFAULT_REGISTRY;
  if (!URL.canParse(registry)) throw new StartError(`npm_config_registry isn't a URL: ${JSON.stringify(registry)}`);
  return registry.endsWith("/") ? registry : `${registry}/`;
}

/**
 * Asks a registry where a pinned version of a package is.
 * @throws StartError when the registry cannot be reached, does not have that version, or states another SHA-512 for it
 *   than the pinned one.
 */
export async function findPinned(
  registry: string,
  name: string,
  { version, integrity }: Pin,
  patience: FetchPatience,
): Promise<PublishedPackage> {
  const url = `${registry}${name.replace("/", "%2f")}`;
  const accept = { accept: "application/vnd.npm.install-v1+json, application/json" };
  return fetchPersistently({ ...fromRegistry(url), headers: accept }, patience, async (response) => {
    const document = await response.json();
    if (typeof at(document, "versions") !== "object")
      throw new StartError(`${url} does not describe an npm package; is npm_config_registry set to a registry?`);
    const stated = distOf(document, version);
    if (stated.tarballUrl === null)
      throw new StartError(
        `the registry doesn't have ${name} ${version}, the version that geolookup uses; set npm_config_registry to a registry that has it`,
      );
    if (stated.integrity !== null && stated.integrity !== integrity)
      throw new StartError(
        `the registry's ${name} ${version} isn't the one that geolookup was tested with (SHA-512 differs); nothing was changed; set npm_config_registry to a registry that you trust`,
      );
    return { name, version, tarballUrl: stated.tarballUrl, integrity };
  });
}

/** What a registry says about a version: where it is, and its SHA-512; null for what it doesn't say. */
function distOf(document: unknown, version: unknown): { tarballUrl: string | null; integrity: string | null } {
  const dist = at(at(at(document, "versions"), version), "dist");
  const tarballUrl = at(dist, "tarball");
  const integrity = String(at(dist, "integrity") ?? "")
    .split(" ")
    .find((hash) => hash.startsWith("sha512-"));
  return {
    tarballUrl: typeof tarballUrl === "string" && URL.canParse(tarballUrl) ? tarballUrl : null,
    integrity: integrity ?? null,
  };
}

/**
 * Downloads a package's tarball into a file and checks it against its SHA-512.
 * @throws StartError when it is unavailable or its SHA-512 differs. Disk errors are passed on.
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
      maxBytes: MAX_ARCHIVE_BYTES,
    });
    if (`sha512-${hash}` !== published.integrity)
      throw new StartError(
        `the download of ${published.name} ${published.version} isn't what was published (SHA-512 differs); nothing was changed; run it again`,
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
