import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { expect } from "chai";
import { addressOf } from "../testing/address-of.ts";
import { temporaryFolder, townDatabase } from "../testing/fixtures.ts";
import { attributionOf } from "./attribution.ts";
import { openDatabase } from "./database.ts";

const good = townDatabase("Town");
const tar = execFileSync("tar", ["-c", "-f", "-", "-C", import.meta.dirname, "database.ts"]);

describe("openDatabase", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder("database");
  });
  afterEach(() => folder.remove());

  function write(bytes: Buffer): string {
    const path = join(folder.path, "towns.mmdb");
    writeFileSync(path, bytes);
    return path;
  }

  it("describes a valid file", async () => {
    const { database } = await openDatabase(write(good));
    expect(database.info).to.deep.equal({
      name: "towns.mmdb",
      databaseType: "city",
      schema: "ip-location-db",
      buildUnixSeconds: 1_700_000_000,
      ipVersion: 6,
      attribution: attributionOf("city", "towns.mmdb")?.text,
      attributionUrl: "https://github.com/sapics/ip-location-db",
    });
    expect(database.find(addressOf("20.0.7.1"))?.finding.city).to.equal("Town 7");
  });

  const bad: Record<string, [Buffer, RegExp]> = {
    "compressed with gzip": [gzipSync(good), /: it is compressed with gzip; unpack it with gunzip or set/],
    "a tar archive": [tar, /: it is a tar archive; unpack it with tar or set/],
    "a compressed tar archive": [gzipSync(tar), /: it is a tar archive, .*; unpack it with tar or set/],
    "a ZIP archive": [Buffer.from("PK\x03\x04\x14"), /: it is a ZIP archive; unpack it with unzip or set/],
    "compressed with Zstandard": [zstdCompressSync(good), /; unpack it with unzstd or set/],
    "cut off": [good.subarray(0, good.length / 2), /cut off.*; replace it with a good copy/],
  };
  for (const [name, [bytes, problem]] of Object.entries(bad))
    it(`names a file that is ${name}, and says what to do`, async () => {
      const path = write(bytes);
      const error = await openDatabase(path).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(StartError);
      const { message } = error as StartError;
      expect(message).to.match(problem);
      expect(message)
        .to.include(path)
        .and.to.match(/(.\/geolookup data fetch|unpack it with).*GEO_DATABASES/)
        .and.not.include("\n");
    });

  it("isn't blocked while a file is checked", async () => {
    const opening = openDatabase(write(good));
    let turns = 0;
    let isOpen = false;
    const counting = (async () => {
      while (!isOpen) {
        await new Promise((resolve) => setImmediate(resolve));
        turns++;
      }
    })();
    await opening;
    isOpen = true;
    await counting;
    expect(turns, "turns of the event loop").to.be.above(10);
  });

  it("aborts a check on a stop", async () => {
    const stopping = new AbortController();
    const opening = openDatabase(write(good), { signal: stopping.signal });
    setImmediate(() => stopping.abort());
    const error = await opening.catch((reason: unknown) => reason);
    expect(error).to.have.property("name", "AbortError");
  });

  it("says what to do about a missing file", async () => {
    const error = await openDatabase(join(folder.path, "none.mmdb")).catch((reason: unknown) => reason);
    expect(error)
      .to.be.instanceOf(StartError)
      .with.property("message")
      .that.matches(/none\.mmdb is missing; run ".\/geolookup data fetch" or set GEO_DATABASES/);
  });
});
