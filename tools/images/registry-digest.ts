import { parseJson } from "@geolookup/shared/domain/parse-json.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { z } from "zod";
import type { ImageReference } from "./reference.ts";

const INDEXES = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
];
const MANIFESTS = [
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
];
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const TOKEN = z.object({ token: z.string().optional(), access_token: z.string().optional() });
const MAX_TOKEN_BYTES = 64 * 1_024;

/**
 * Asks a registry for the digest of an image's tag, as the OCI distribution specification describes it: a HEAD of the
 * manifest, with an anonymous token when the registry asks for one. A HEAD isn't a pull, so it doesn't count towards
 * Docker Hub's limit.
 * @param timeoutMs of each request.
 * @throws StartError saying the registry's response, or that the tag has an image for one platform only.
 */
export async function fetchDigest(image: ImageReference, timeoutMs: number): Promise<string> {
  const { registry, repository, tag } = image;
  const name = `${registry}/${repository}:${tag}`;
  const url = new URL(`${schemeOf(registry)}//${registry}/v2/${repository}/manifests/${tag}`);
  const head = (token: string | null) =>
    request(url, timeoutMs, {
      method: "HEAD",
      headers: {
        accept: [...INDEXES, ...MANIFESTS].join(", "),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
    });
  let response = await head(null);
  if (response.status === 401) {
    const challenge = response.headers.get("www-authenticate") ?? "";
    response = await head(await fetchToken(challenge, image, timeoutMs));
  }
  if (response.status === 429) throw new StartError(`${name}: the registry limits requests; try again later`);
  if (response.status === 401 || response.status === 403)
    throw new StartError(`${name}: the repository doesn't exist, or the registry doesn't allow anonymous reads`);
  if (response.status === 404) throw new StartError(`${name}: the registry doesn't have this tag`);
  if (!response.ok) throw new StartError(`${name}: the registry returned status ${response.status}`);
  const [type = ""] = (response.headers.get("content-type") ?? "").split(";");
  if (!INDEXES.includes(type.trim()))
    throw new StartError(
      `${name}: this is an image for one platform (${type || "no content type"}); its digest would break the others`,
    );
  const digest = response.headers.get("docker-content-digest");
  if (digest === null || !DIGEST.test(digest))
    throw new StartError(`${name}: the registry returned ${digest === null ? "no" : "an invalid"} digest`);
  return digest;
}

/** The anonymous token that a registry asks for: `Bearer realm="https://auth.example/token",service="…"`. */
async function fetchToken(challenge: string, image: ImageReference, timeoutMs: number): Promise<string> {
  const { registry, repository } = image;
  const parameter = (name: string) => new RegExp(`[ ,]${name}="([^"]*)"`, "i").exec(challenge)?.[1];
  const realm = parameter("realm");
  if (!/^bearer /i.test(challenge) || realm === undefined || !URL.canParse(realm))
    throw new StartError(
      `${registry}: the registry requires an unsupported authentication scheme (${challenge.slice(0, 80)})`,
    );
  const url = new URL(realm);
  // Only a registry on this machine may do without TLS.
  if (url.protocol !== "https:" && (!isLoopback(registry) || !isLoopback(url.host)))
    throw new StartError(`${registry}: the registry sends tokens without TLS (${url.origin})`);
  const service = parameter("service");
  if (service !== undefined) url.searchParams.set("service", service);
  url.searchParams.set("scope", `repository:${repository}:pull`);
  const response = await request(url, timeoutMs, {});
  if (!response.ok)
    throw new StartError(`${registry}: the token service ${url.origin} returned status ${response.status}`);
  const text = await response.text();
  const parsed = text.length > MAX_TOKEN_BYTES ? null : TOKEN.safeParse(parseJson(text));
  const token = parsed?.data?.token ?? parsed?.data?.access_token;
  if (!token) throw new StartError(`${registry}: the token service ${url.origin} returned no token`);
  return token;
}

async function request(url: URL, timeoutMs: number, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    const { message, cause } = error as Error;
    throw new StartError(`cannot reach ${url.origin}: ${(cause as Error | undefined)?.message || message}`);
  }
}

/** Like Docker, uses plain HTTP for registries on this machine. */
function schemeOf(registry: string): string {
  return isLoopback(registry) ? "http:" : "https:";
}

function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+)(:\d+)?$/.test(host);
}
