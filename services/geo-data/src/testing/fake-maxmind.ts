import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { serveHttp } from "../../../../test/harness/http-server.ts";

export const ACCOUNT = { accountId: "42", licenseKey: "invented_license_key" };

/** A release of an edition. */
export interface FakeEdition {
  date: string;
  lastModified: string;
  archive: Buffer;
}

/** A request as it came in. */
export interface Asked {
  method: string;
  url: string;
  authorization: string | undefined;
}

/**
 * MaxMind's download service and the storage it redirects to, on two loopback ports.
 * @param editions by name; reread at each request.
 * @param host where it is reached, on this machine: containers have another name for that than 127.0.0.1.
 */
export async function startFakeMaxmind(editions: Record<string, FakeEdition>, host = "127.0.0.1") {
  /** Requests to the service itself, and to the storage. */
  const asked: Asked[] = [];
  const stored: Asked[] = [];
  /** Each responds instead of the server, or returns false to let the server respond. */
  const behavior = {
    service: (_req: IncomingMessage, _res: ServerResponse): boolean => false,
    storage: (_req: IncomingMessage, _res: ServerResponse, _body: Buffer): boolean => false,
    checksum: (text: string): string => text,
  };
  const credentials = `Basic ${Buffer.from(`${ACCOUNT.accountId}:${ACCOUNT.licenseKey}`).toString("base64")}`;

  const storage = await serveHttp((req, res) => {
    stored.push(asAsked(req));
    const [, name = "", suffix] = /^\/([\w-]+)\.(tar\.gz|tar\.gz\.sha256)\?signature=secret$/.exec(req.url ?? "") ?? [];
    const edition = editions[name];
    if (!edition) return res.writeHead(403).end();
    const hash = createHash("sha256").update(edition.archive).digest("hex");
    const body =
      suffix === "tar.gz" ? edition.archive : Buffer.from(behavior.checksum(`${hash}  ${name}_${edition.date}.tar.gz`));
    if (behavior.storage(req, res, body)) return;
    res.setHeader("last-modified", edition.lastModified);
    if (req.headers["if-modified-since"] === edition.lastModified) return res.writeHead(304).end();
    res.setHeader("content-length", body.length).end(req.method === "HEAD" ? undefined : body);
  }, host);
  const service = await serveHttp((req, res) => {
    asked.push(asAsked(req));
    if (!behavior.service(req, res)) respond(req, res);
  }, host);
  /** What the service responds if a test doesn't do so itself. */
  function respond(req: IncomingMessage, res: ServerResponse): void {
    if (req.headers.authorization !== credentials) return void res.writeHead(401).end("Invalid license key");
    const [, name, suffix] = /^\/geoip\/databases\/([\w-]+)\/download\?suffix=([\w.]+)$/.exec(req.url ?? "") ?? [];
    if (name === undefined || !editions[name]) return void res.writeHead(404).end();
    res.writeHead(302, { location: `${storage.url}/${name}.${suffix}?signature=secret` }).end();
  }
  return {
    url: service.url,
    storageUrl: storage.url,
    asked,
    stored,
    behavior,
    respond,
    /** How many archives were asked for: what MaxMind counts. */
    downloads: () => stored.filter(({ method, url }) => method === "GET" && url.includes(".tar.gz?")).length,
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await storage[Symbol.asyncDispose]();
    },
  };
}

function asAsked({ method = "", url = "", headers }: IncomingMessage): Asked {
  return { method, url, authorization: headers.authorization };
}
