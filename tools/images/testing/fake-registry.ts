import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { serveHttp } from "../../../test/harness/http-server.ts";

const INDEX_TYPE = "application/vnd.oci.image.index.v1+json";
export const MANIFEST_TYPE = "application/vnd.oci.image.manifest.v1+json";
export const digestOf = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;

/**
 * A container registry on a loopback port that authenticates like Docker Hub: a manifest requires a token for its repository,
 * which the token service gives to anyone.
 * @param tags the text of each manifest, by `repository:tag`.
 */
export async function startFakeRegistry(tags: Record<string, string>) {
  const requests: string[] = [];
  const behavior: {
    /** Overrides the response. @returns false to leave it to the registry. */
    manifest: (req: IncomingMessage, res: ServerResponse) => boolean;
    token: (res: ServerResponse) => boolean;
    challenge: ((origin: string) => string) | null;
    type: string;
  } = { manifest: () => false, token: () => false, challenge: null, type: INDEX_TYPE };

  const server = await serveHttp((req, res) => {
    const url = new URL(req.url ?? "", `http://${req.headers.host}`);
    requests.push(`${req.method} ${url.pathname}${url.search}`);
    if (url.pathname === "/token") {
      if (behavior.token(res)) return;
      res.end(JSON.stringify({ token: `token for ${url.searchParams.get("scope")}` }));
      return;
    }
    const [, repository, tag] = /^\/v2\/(.+)\/manifests\/([^/]+)$/.exec(url.pathname) ?? [];
    if (req.headers.authorization !== `Bearer token for repository:${repository}:pull`) {
      const challenge =
        behavior.challenge?.(url.origin) ?? `Bearer realm="${url.origin}/token",service="fake registry"`;
      res.writeHead(401, { "www-authenticate": challenge }).end();
      return;
    }
    if (behavior.manifest(req, res)) return;
    const manifest = tags[`${repository}:${tag}`];
    if (manifest === undefined || !(req.headers.accept ?? "").includes(behavior.type)) {
      res.writeHead(404).end();
      return;
    }
    res.writeHead(200, { "content-type": behavior.type, "docker-content-digest": digestOf(manifest) }).end();
  });
  return {
    host: new URL(server.url).host,
    requests,
    behavior,
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  };
}
