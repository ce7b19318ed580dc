import { rm } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { extract, type ReadEntry } from "tar";
import { isDiskFull } from "../../download/fetch-persistently.ts";
import { checkDownloaded, type Part, type SourceOptions, type Vendor } from "../part.ts";
import { downloadArchive, fetchRelease, isUnchanged, type MaxmindAccount, type Release } from "./maxmind-downloads.ts";

/** The largest file that the geo service can read into memory at once. */
const MAX_DATABASE_BYTES = 2 ** 31 - 1;

export interface MaxmindOptions extends MaxmindAccount, SourceOptions {
  /** The maximum size of an archive, in bytes. */
  maxBytes: number;
}

/** MaxMind's databases, which need an account. */
export function maxmindVendor(options: MaxmindOptions): Vendor {
  return { name: "MaxMind", isDefault: false, parts: options.editions.map((edition) => editionPart(edition, options)) };
}

function editionPart(edition: string, options: MaxmindOptions): Part {
  return {
    name: edition,
    files: [`${edition}.mmdb`],
    databaseType: edition,
    license: edition.startsWith("GeoLite2-")
      ? "GeoLite End User License Agreement, https://www.maxmind.com/en/geolite/eula"
      : "MaxMind End User License Agreement, https://www.maxmind.com/en/end-user-license-agreement",
    find: async (before) => {
      if (before?.lastModified && (await isUnchanged(edition, before.lastModified, options)))
        return { ...before, fetch: async (folder) => fetchEdition(edition, before, folder, options) };
      const published = await fetchRelease(edition, options);
      return { ...published, fetch: (folder) => fetchEdition(edition, published, folder, options) };
    },
  };
}

async function fetchEdition(
  edition: string,
  published: Release,
  folder: string,
  options: MaxmindOptions,
): Promise<{ lastModified: string | null }> {
  const archive = join(folder, "edition.tar.gz");
  const lastModified = await downloadArchive(edition, published, archive, options);
  options.say(`${edition} ${published.version}: checked, unpacking`);
  await unpackDatabase(edition, archive, folder);
  await rm(archive);
  await checkDownloaded(join(folder, `${edition}.mmdb`), new RegExp(`^${edition}$`));
  return { lastModified };
}

/**
 * Extracts the database from an archive: `<edition>_<date>/<edition>.mmdb`. Names in the archive choose what is extracted, but
 * never where to.
 */
async function unpackDatabase(edition: string, archive: string, folder: string): Promise<void> {
  const wanted = new RegExp(`^(?!\\.)[^/\\\\]+/${edition}\\.mmdb$`);
  let taken = 0;
  let tooLong = false;
  try {
    await extract({
      file: archive,
      cwd: folder,
      strip: 1,
      noMtime: true,
      strict: true,
      filter: (path, entry) => {
        const { type, size } = entry as ReadEntry;
        if (!wanted.test(path) || type !== "File") return false;
        taken++;
        tooLong ||= size > MAX_DATABASE_BYTES;
        return taken === 1 && !tooLong;
      },
    });
  } catch (error) {
    if (isDiskFull(error)) throw error;
    throw new StartError(
      `the archive of ${edition} can't be unpacked: ${(error as Error).message}; nothing was changed; try again later`,
    );
  }
  if (tooLong) throw new StartError(`the database in the archive of ${edition} is too large; nothing was changed`);
  if (taken !== 1)
    throw new StartError(
      `the archive of ${edition} contains ${taken} files named ${edition}.mmdb instead of one; nothing was changed; try again later`,
    );
}
