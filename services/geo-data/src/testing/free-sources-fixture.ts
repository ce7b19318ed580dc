import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { double } from "@geolookup/geo/mmdb/value.ts";
import { buildMmdb } from "@geolookup/geo/mmdb/writer.ts";
import { tempFolder } from "../../../../test/harness/temp-folder.ts";
import { type RunOptions, runOnce } from "../run-once.ts";
import { startFakeFiles } from "./fake-files.ts";
import { integrityOf, startFakeRegistry } from "./fake-registry.ts";
import { ASN, asnPackage, CITY, cityFile, cityPackage } from "./geo-data-fixture.ts";
import { geoDataOnDisk, IMPATIENCE, NO_PROGRESS, oneLineOf } from "./geo-data-on-disk.ts";

/** DB-IP City Lite with one town. */
export const dbipCity = (city: string, built: string, databaseType = "DBIP-City-Lite") =>
  buildMmdb({
    databaseType,
    ipVersion: 6,
    recordSize: 24,
    entries: [
      [
        "20.0.0.0/8",
        {
          city: { names: { en: city } },
          continent: { code: "OC", geoname_id: 6_255_151, names: { en: "Oceania" } },
          country: { geoname_id: 2_186_224, is_in_european_union: false, iso_code: "NZ", names: { en: "New Zealand" } },
          location: { latitude: double(-41.2887), longitude: double(174.7772) },
          subdivisions: [{ names: { en: "Wellington Region" } }],
        },
      ],
    ],
    buildUnixSeconds: Date.parse(built) / 1_000,
  });

/** Networks, as DB-IP or ip-location-db publish them. */
export const networks = (organization: string, built: string, databaseType = "DBIP-ASN-Lite (compat=GeoLite2-ASN)") =>
  buildMmdb({
    databaseType,
    ipVersion: 6,
    recordSize: 24,
    entries: [["20.0.0.0/8", { autonomous_system_number: 64_500, autonomous_system_organization: organization }]],
    buildUnixSeconds: Date.parse(built) / 1_000,
  });

export type FreeSources = Awaited<ReturnType<typeof openFreeSources>>;

/** A folder for geo data, and everyone who publishes free data, on loopback ports. It is November 22nd, 2026. */
export async function openFreeSources() {
  const { folder, ...installed } = geoDataOnDisk();
  const dbip = await startFakeFiles({});
  const sapics = await startFakeFiles({});
  const packages = { [CITY]: cityPackage("2.3.2026060513", "Npm Town"), [ASN]: asnPackage("2.3.2026061719") };
  const registry = await startFakeRegistry(packages);
  const pinsFile = join(tempFolder(), "pins.json");
  const pins = Object.entries(packages).map(([name, { version, tarball }]) => [
    name,
    { version, integrity: integrityOf(tarball) },
  ]);
  writeFileSync(pinsFile, JSON.stringify(Object.fromEntries(pins)));
  const clock = { now: Date.parse("2026-11-22T12:00:00Z") };
  const said: string[] = [];

  /** What DB-IP publishes in a month. */
  const publishMonth = (month: string, city: string, file = dbipCity(city, `${month}-01`)) => {
    const lastModified = new Date(`${month}-01T08:00:00Z`).toUTCString();
    dbip.files[`/dbip-city-lite-${month}.mmdb.gz`] = { body: gzipSync(file), lastModified };
    dbip.files[`/dbip-asn-lite-${month}.mmdb.gz`] = {
      body: gzipSync(networks("DB-IP Net", `${month}-01`)),
      lastModified,
    };
  };
  /** What ip-location-db releases on a day. */
  const release = (day: string, organization: string, type = "asn ipvAll") => {
    const lastModified = new Date(`${day}T03:00:00Z`).toUTCString();
    for (const [name, body] of [
      ["dbip-city-ipv4.mmdb", cityFile(`${organization} Town`, 4)],
      ["dbip-city-ipv6.mmdb", cityFile(`${organization} Town`, 6)],
      ["origin-asn.mmdb", networks(organization, day, type)],
    ] as const) {
      const sha256 = createHash("sha256").update(body).digest("hex");
      sapics.files[`/latest/${name}`] = { body, lastModified };
      sapics.files[`/checksum/${name}.sha256`] = { body: `${sha256}  ${name}\n`, lastModified };
    }
  };
  publishMonth("2026-11", "November");
  publishMonth("2026-10", "October");
  release("2026-11-21", "Origin Net");

  const run = ({ environment, overrides, ...options }: Partial<RunOptions> = {}) =>
    runOnce({
      ...{ folder, refetch: "update", by: "refresh", now: () => clock.now, say: (line) => void said.push(line) },
      environment: { npm_config_registry: registry.url, ...environment },
      overrides: {
        ...{ dbipUrl: dbip.url, sapicsUrl: sapics.url, pinsFile, probeMs: 2_000, patience: IMPATIENCE },
        ...overrides,
      },
      progress: () => NO_PROGRESS,
      ...options,
    });
  const forgetRequests = () => {
    for (const { requests } of [dbip, sapics, registry]) requests.length = 0;
    said.length = 0;
  };
  return {
    ...{ folder, dbip, sapics, registry, clock, said, publishMonth, release, run, forgetRequests, ...installed },
    failure: (options: Partial<RunOptions> = {}) => oneLineOf(run(options)),
    /** What is installed, as the names and versions of its parts. */
    inUse: () =>
      installed.current() ? installed.sources().map(({ name, version }: Named) => `${name} ${version}`) : [],
    [Symbol.asyncDispose]: async () => {
      for (const server of [dbip, sapics, registry]) await server[Symbol.asyncDispose]();
      installed.remove();
    },
  };
}

interface Named {
  name: string;
  version: string;
}
