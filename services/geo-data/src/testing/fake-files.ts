import type { IncomingMessage, ServerResponse } from "node:http";
import { serveHttp } from "../../../../test/harness/http-server.ts";

/** A file that a fake publisher has. */
export interface FakeFile {
  body: Buffer | string;
  /** As in the header; without it, the server states neither that nor an ETag. */
  lastModified?: string;
}

/**
 * A publisher of files on a loopback port, such as DB-IP's downloads or GitHub's releases: HEAD, If-Modified-Since, 404.
 * @param files by path; reread at each request.
 */
export async function startFakeFiles(files: Record<string, FakeFile>) {
  /** `GET /path`, one for each request. */
  const requests: string[] = [];
  const behavior = {
    /** Responds instead of the server, or returns false to let the server respond. */
    serve: (_req: IncomingMessage, _res: ServerResponse, _file: FakeFile | undefined): boolean => false,
  };
  const server = await serveHttp((req, res) => {
    requests.push(`${req.method} ${req.url}`);
    const file = files[req.url ?? ""];
    if (behavior.serve(req, res, file)) return;
    if (!file) return res.writeHead(404, { "content-type": "text/html" }).end("<html>Not found</html>");
    if (file.lastModified !== undefined) {
      res.setHeader("last-modified", file.lastModified);
      res.setHeader("etag", `"${file.lastModified}"`);
      if (req.headers["if-modified-since"] === file.lastModified) return res.writeHead(304).end();
    }
    res.setHeader("content-length", Buffer.byteLength(file.body)).end(req.method === "HEAD" ? undefined : file.body);
  });
  return {
    ...server,
    files,
    requests,
    behavior,
  };
}
