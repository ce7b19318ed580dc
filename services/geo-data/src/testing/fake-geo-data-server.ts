import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { serveHttp } from "../../../../test/harness/http-server.ts";
import { FILES_PATH, MANIFEST_PATH, type Manifest } from "../follow/manifest.ts";

/**
 * A geo data server on a loopback port, which a test can make misbehave.
 * @param databases by name, in order of priority.
 */
export async function startFakeGeoDataServer(databases: Record<string, Buffer>, beside: Record<string, Buffer> = {}) {
  const contents = new Map<string, Buffer>();
  const requests: string[] = [];
  const contentOf = (bytes: Buffer) => {
    const sha256 = hash("sha256", bytes);
    contents.set(sha256, bytes);
    return { sha256, size: bytes.length };
  };
  const manifestOf = (
    version: string,
    files: Record<string, Buffer>,
    others: Record<string, Buffer> = {},
  ): Manifest => {
    const named = Object.entries(files).map(([name, bytes]) => ({ name, ...contentOf(bytes) }));
    const kept = named.map(({ sha256 }) => sha256);
    const paths = Object.entries(others).map(([path, bytes]) => ({ path, ...contentOf(bytes) }));
    return { format: 1, version, databases: named, beside: paths, kept };
  };
  const behavior = {
    manifest: manifestOf("v1", databases, beside) as unknown,
    /** Responds in the place of the server, or returns false to leave it to that. */
    serve: (_req: IncomingMessage, _res: ServerResponse): boolean => false,
  };
  const server = await serveHttp((req, res) => {
    const { url = "" } = req;
    requests.push(url);
    if (behavior.serve(req, res)) return;
    if (url === MANIFEST_PATH) {
      const body = Buffer.from(JSON.stringify(behavior.manifest));
      const etag = `"${hash("sha256", body)}"`;
      if (req.headers["if-none-match"] === etag) return res.writeHead(304).end();
      return res.writeHead(200, { ETag: etag, "Content-Length": body.length }).end(body);
    }
    const content = contents.get(url.replace(FILES_PATH, ""));
    return content ? res.end(content) : res.writeHead(404).end();
  });
  return {
    ...server,
    behavior,
    manifestOf,
    requests,
    /** How many files were asked for. */
    downloads: () => requests.filter((url) => url.startsWith(FILES_PATH)).length,
  };
}
