import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "tar";
import { serveHttp } from "../../../../test/harness/http-server.ts";

/** A package as the fake registry publishes it. */
export interface FakePackage {
  version: string;
  tarball: Buffer;
}

/** Packs files into an npm tarball. */
export function packTarball(files: Readonly<Record<string, Buffer | string>>): Buffer {
  const folder = join(tmpdir(), `geolookup-pack-${process.pid}-${Math.random().toString(36).slice(2)}`);
  mkdirSync(join(folder, "package"), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, "package", name), content);
  create({ cwd: folder, gzip: true, file: join(folder, "out.tgz"), sync: true }, ["package"]);
  const tarball = readFileSync(join(folder, "out.tgz"));
  rmSync(folder, { recursive: true });
  return tarball;
}

export const integrityOf = (tarball: Buffer) => `sha512-${createHash("sha512").update(tarball).digest("base64")}`;

/**
 * A fake npm registry on a loopback port.
 * @param packages by name; reread at each request.
 * @param serveTarball replaces how a tarball is served, or returns false to let the registry serve it.
 */
export async function startFakeRegistry(packages: Record<string, FakePackage>) {
  const requests: string[] = [];
  const behavior: {
    serveTarball: (res: ServerResponse, tarball: Buffer) => boolean;
    integrity?: string | null;
    /** Served in place of every package's document. */
    document?: unknown;
    /** Versions that are still there beside the newest ones. */
    older: Record<string, FakePackage>;
  } = { serveTarball: () => false, older: {} };
  const server = await serveHttp((req, res) => {
    const url = decodeURIComponent(req.url ?? "");
    requests.push(url);
    const base = `http://${req.headers.host}`;
    const fileOf = (name: string, version: string) => `/tarballs/${name}-${version}.tgz`;
    for (const [name, newest] of Object.entries(packages)) {
      const published = [newest, behavior.older[name]].filter((each) => each !== undefined);
      if (url === `/${name}`) {
        const versions = published.map(({ version, tarball }) => {
          const integrity = behavior.integrity === undefined ? integrityOf(tarball) : behavior.integrity;
          const dist = { tarball: base + fileOf(name, version), ...(integrity === null ? {} : { integrity }) };
          return [version, { name, version, dist }];
        });
        const document = { name, "dist-tags": { latest: newest.version }, versions: Object.fromEntries(versions) };
        res.end(JSON.stringify(behavior.document === undefined ? document : behavior.document));
        return;
      }
      const wanted = published.find(({ version }) => url === fileOf(name, version));
      if (wanted) {
        const { tarball } = wanted;
        if (!behavior.serveTarball(res, tarball)) res.setHeader("content-length", tarball.length).end(tarball);
        return;
      }
    }
    res.writeHead(404).end("{}");
  });
  return {
    ...server,
    url: `${server.url}/`,
    requests,
    behavior,
  };
}
