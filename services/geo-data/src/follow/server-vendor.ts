import { constants, copyFile } from "node:fs/promises";
import { join } from "node:path";
import { versionsFolder } from "@geolookup/geo/databases/installed-databases.ts";
import type { Part, Vendor } from "../sources/part.ts";
import { sha256Of } from "../store/source.ts";
import { listVersions, removeOthers, type StoredVersion } from "../store/version-store.ts";
import type { DatabaseFile, Manifest } from "./manifest.ts";
import type { ServerClient } from "./server-client.ts";

/**
 * A geo data server as a source: each database of its manifest is a part. The server has compared them with its older ones.
 * @param folder of the versions here. Databases that are in one of them aren't downloaded.
 */
export function serverVendor(
  { version, databases }: Manifest,
  { folder, download }: { folder: string; download: ServerClient["download"] },
): Vendor {
  const partOf = (file: DatabaseFile): Part => ({
    name: file.name,
    files: [file.name],
    databaseType: "",
    license: "",
    find: async () => ({
      version,
      integrity: file.sha256,
      fetch: async (target) => {
        const path = join(target, file.name);
        if (!(await copyLocal(file, path, folder))) await download(file, path);
        return { lastModified: null };
      },
    }),
  });
  return { name: "the geo data server", parts: databases.map(partOf), isDefault: false, isCompared: true };
}

/** @returns whether a version here has the file. */
async function copyLocal({ sha256 }: DatabaseFile, path: string, folder: string): Promise<boolean> {
  for (const { version, sources } of await listVersions(folder)) {
    const same = sources.flatMap(({ files }) => files).find((file) => file.sha256 === sha256);
    if (!same) continue;
    try {
      await copyFile(join(versionsFolder(folder), version, same.name), path, constants.COPYFILE_FICLONE);
      if ((await sha256Of(path)) === sha256) return true;
    } catch {
      // It is damaged: the server has it.
    }
  }
  return false;
}

/** Removes the versions with databases that the server no longer keeps, perhaps because their license has expired. */
export async function removeUnkept(folder: string, inUse: StoredVersion, { kept }: Manifest): Promise<void> {
  const others = (await listVersions(folder)).filter(({ sources }) =>
    sources.every(({ files }) => files.every(({ sha256 }) => kept.includes(sha256))),
  );
  await removeOthers(folder, [inUse.version, ...others.map(({ version }) => version)]);
}

/** What the server calls a version that was copied from it, and its databases. */
export function servedAs({ sources }: StoredVersion): Pick<Manifest, "version" | "databases"> {
  const [latest] = sources.toSorted((one, other) => other.fetchedAt.localeCompare(one.fetchedAt));
  const files = sources.flatMap((source) => source.files);
  return { version: latest?.version ?? "", databases: files.map(({ name, sha256 }) => ({ name, sha256, size: 1 })) };
}
