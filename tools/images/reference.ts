import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";

/** Where an image is: `node:24-slim` is `library/node` with the tag `24-slim` on Docker Hub. */
export interface ImageReference {
  /** Host and port of the registry's API. */
  registry: string;
  repository: string;
  tag: string;
  /** `sha256:…`; null when only the tag is pinned. */
  digest: string | null;
}

const DOCKER_HUB = "registry-1.docker.io";
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const REPOSITORY = /^[a-z0-9]+([._-]+[a-z0-9]+)*(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*$/;
const REGISTRY = /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:\d{1,5})?$/;
const TAG = /^[\w][\w.-]{0,127}$/;

/**
 * Reads an image reference as Docker does. A tag is required, and `latest` is refused: its content changes.
 * @throws StartError saying what is wrong with it.
 */
export function parseReference(reference: string): ImageReference {
  const refuse = (problem: string) => new StartError(`${JSON.stringify(reference)} ${problem}`);
  const [tagged = "", digest, ...rest] = reference.split("@");
  if (rest.length > 0 || (digest !== undefined && !DIGEST.test(digest)))
    throw refuse("has an invalid digest; it must be sha256: and 64 hexadecimal digits");
  const [, path = "", tag] = /^(.*?)(?::([^/:]*))?$/.exec(tagged) ?? [];
  if (tag === undefined) throw refuse("has no tag; add the version to use");
  if (!TAG.test(tag)) throw refuse("has an invalid tag");
  if (tag === "latest") throw refuse("has the tag latest; name a version");
  const [first = "", ...others] = path.split("/");
  const hasRegistry = others.length > 0 && (/[.:]/.test(first) || first === "localhost");
  const repository = hasRegistry ? others.join("/") : others.length > 0 ? path : `library/${path}`;
  if (!REPOSITORY.test(repository) || (hasRegistry && !REGISTRY.test(first))) throw refuse("has an invalid name");
  const registry = hasRegistry && first !== "docker.io" ? first : DOCKER_HUB;
  return { registry, repository, tag, digest: digest ?? null };
}

/** The same image with another digest, or without one. */
export function withDigest(reference: string, digest: string | null): string {
  const [tagged] = reference.split("@");
  return digest === null ? `${tagged}` : `${tagged}@${digest}`;
}
