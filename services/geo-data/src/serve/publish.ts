import { createHash, hash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { pathsOf, readCurrent } from "@geolookup/geo/databases/installed-databases.ts";
import { openRegularFile } from "@geolookup/geo/databases/whole-file.ts";
import { installedReports, reportFile } from "@geolookup/geo/report/report-file.ts";
import { signatureOf } from "@geolookup/shared/runtime/files/watch-files.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { isBeside, MAX_BESIDE_BYTES, type Manifest, manifestSchema, REPORT_PATH } from "../follow/manifest.ts";
import { listVersions } from "../store/version-store.ts";

/** The published data: a manifest, and the files by their hashes. */
export interface Published {
  manifest: Manifest;
  body: Buffer;
  etag: string;
  files: ReadonlyMap<string, HashedFile>;
}

/** Folders beside the databases whose files are served. */
const BESIDE_FOLDERS = ["", "geofeeds"];

/**
 * Reads the data installed in a folder, to serve it.
 * @throws StartError if there is nothing, or it is damaged.
 */
export async function publish(
  folder: string,
  { hash: hashOf, forgetOthers }: ReturnType<typeof createFileHashes>,
): Promise<Published> {
  const { current } = await readCurrent(folder);
  const stored = await listVersions(folder);
  const recorded = stored.find(({ version }) => version === current.version)?.sources.flatMap(({ files }) => files);
  const files = new Map<string, HashedFile>();
  const databases: Manifest["databases"] = [];
  for (const [index, path] of pathsOf(folder, current).entries()) {
    const name = current.databases[index] as string;
    const hashed = await hashOf(path);
    const isDamaged = hashed === null || recorded?.find((file) => file.name === name)?.sha256 !== hashed.sha256;
    if (isDamaged) throw new StartError(`${name} of ${current.version} is missing or damaged`);
    files.set(hashed.sha256, hashed);
    databases.push({ name, sha256: hashed.sha256, size: hashed.size });
  }
  const beside: Manifest["beside"] = [];
  const report = reportFile(
    installedReports(folder),
    databases.map(({ sha256 }) => sha256),
  );
  for (const path of [...(await besidePaths(folder)), REPORT_PATH]) {
    const hashed = await hashOf(path === REPORT_PATH ? report : join(folder, path));
    if (hashed === null || hashed.size === 0 || hashed.size > MAX_BESIDE_BYTES) continue;
    files.set(hashed.sha256, hashed);
    beside.push({ path, sha256: hashed.sha256, size: hashed.size });
  }
  forgetOthers();
  const kept = stored.flatMap(({ sources }) => sources.flatMap((source) => source.files.map(({ sha256 }) => sha256)));
  const manifest: Manifest = { format: 1, version: current.version, databases, beside, kept: [...new Set(kept)] };
  // Data that geo nodes would refuse isn't published.
  const parsed = manifestSchema.safeParse(manifest);
  if (!parsed.success)
    throw new StartError(`${current.version} can't be served: ${parsed.error.issues[0]?.path.join(".")}`);
  const body = Buffer.from(JSON.stringify(manifest));
  return { manifest, body, etag: `"${hash("sha256", body)}"`, files };
}

/** The files beside the databases that there may be, without the report, in a constant order. */
async function besidePaths(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for (const subfolder of BESIDE_FOLDERS)
    for (const name of await readdir(join(folder, subfolder)).catch((): string[] => []))
      paths.push(subfolder === "" ? name : `${subfolder}/${name}`);
  return paths.filter((path) => isBeside(path) && path !== REPORT_PATH).sort();
}

/** A file's content, as it was when it was hashed. */
export interface HashedFile {
  path: string;
  /** The file's state then. */
  signature: string;
  size: number;
  /** In hexadecimal. */
  sha256: string;
}

/** Hashes files, and remembers the hashes until the files change. */
export function createFileHashes() {
  let known = new Map<string, HashedFile>();
  let used = new Map<string, HashedFile>();
  return {
    /** @returns null if the file is missing or changed during hashing. */
    hash: async (path: string): Promise<HashedFile | null> => {
      const hashed = await hashFile(path, known.get(path)).catch(() => null);
      if (hashed) used.set(path, hashed);
      return hashed;
    },
    /** Drops the hashes of files that weren't requested since the last call. */
    forgetOthers: (): void => {
      known = used;
      used = new Map();
    },
  };
}

async function hashFile(path: string, known: HashedFile | undefined): Promise<HashedFile | null> {
  const { file, stats } = await openRegularFile(path);
  try {
    const signature = signatureOf(stats);
    if (known?.signature === signature) return known;
    const hash = createHash("sha256");
    await pipeline(file.createReadStream({ autoClose: false }), hash);
    if (signatureOf(await file.stat({ bigint: true })) !== signature) return null;
    return { path, signature, size: Number(stats.size), sha256: hash.digest("hex") };
  } finally {
    await file.close();
  }
}
