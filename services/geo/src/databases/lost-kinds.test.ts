import { hash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { type OpenedLocator, openLocator } from "../locator.ts";
import { buildMmdb } from "../mmdb/writer.ts";
import { capturingLog, temporaryFolder, townDatabase, until } from "../testing/fixtures.ts";
import { NESTED, NETWORK } from "../testing/records.ts";
import { openDatabase } from "./database.ts";
import type { DatabaseChoice } from "./installed-databases.ts";
import { type CheckedFiles, recordChecked } from "./known-files.ts";

const towns = townDatabase("Town", { towns: 10 });
const networks = buildMmdb({
  databaseType: "geolookup-ASN",
  ipVersion: 6,
  recordSize: 24,
  entries: [["20.0.0.0/8", NETWORK]],
});

const both = buildMmdb({
  databaseType: "GeoIP2-Enterprise",
  ipVersion: 6,
  recordSize: 24,
  entries: [["20.0.0.0/8", { ...NESTED, traits: NETWORK }]],
});

describe("a start with data that has lost its places", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let lines: Record<string, unknown>[];
  beforeEach(() => {
    folder = temporaryFolder("lost-kinds");
  });
  afterEach(() => folder.remove());

  const open = (databases: DatabaseChoice, acceptsLoss = false) => {
    const captured = capturingLog();
    lines = captured.lines;
    return openLocator({ databases, acceptsLoss, log: captured.log, registry: new Registry(), pollIntervalMs: 5 });
  };
  const openAndClose = async (databases: DatabaseChoice, acceptsLoss = false) => {
    const locator = await open(databases, acceptsLoss);
    await locator[Symbol.asyncDispose]();
  };
  const refusal = async (databases: DatabaseChoice) => {
    const error = await openAndClose(databases).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(StartError);
    return (error as StartError).message;
  };

  describe("in files that the operator names", () => {
    let path: string;
    let databases: DatabaseChoice & { files: string[] };
    beforeEach(async () => {
      path = join(folder.path, "towns.mmdb");
      writeFileSync(path, towns);
      databases = { files: [path], kindsFile: join(folder.path, "data", "geo", "kinds.json") };
      await openAndClose(databases);
      writeFileSync(path, networks);
    });

    it("is refused, until it is forced once", async () => {
      expect(await refusal(databases)).to.match(
        /towns\.mmdb has no locations, which .*; .* set GEO_DATA_FORCE=on for one start/,
      );
      expect(await refusal(databases), "it stays refused").to.match(/has no locations/);
      await openAndClose(databases, true);
      expect(lines.filter(({ level }) => level === "warn")).to.have.length(1);
      await openAndClose(databases);
    });

    it("accepts other files, because the operator chose them", async () => {
      const other = join(folder.path, "networks.mmdb");
      writeFileSync(other, networks);
      await openAndClose({ ...databases, files: [other] });
    });

    it("remembers the kinds of data in a reloaded file", async () => {
      const locator = await open(databases, true);
      writeFileSync(path, both);
      await until(() => lines.some(({ msg }) => msg === "the database was reloaded"), "the reload");
      await locator[Symbol.asyncDispose]();
      writeFileSync(path, networks);
      expect(await refusal(databases)).to.match(/has no locations/);
    });

    it("succeeds if the kinds of data can't be stored, and logs that", async () => {
      const kindsFile = join(path, "geo", "kinds.json");
      await openAndClose({ files: [path], kindsFile });
      expect(lines.filter(({ level }) => level === "info")).to.have.length(1);
    });

    it("succeeds if the stored kinds are damaged", async () => {
      writeFileSync(join(folder.path, "data", "geo", "kinds.json"), "{");
      await openAndClose(databases);
    });
  });

  describe("in installed files", () => {
    let databases: DatabaseChoice;
    let path: string;
    const use = (checked?: unknown) =>
      writeFileSync(
        join(folder.path, "current.json"),
        JSON.stringify({ version: "v1", databases: ["towns.mmdb"], checked }),
      );
    beforeEach(async () => {
      databases = { installedIn: folder.path };
      mkdirSync(join(folder.path, "versions", "v1"), { recursive: true });
      path = join(folder.path, "versions", "v1", "towns.mmdb");
      writeFileSync(path, towns);
      use(recordChecked([await openDatabase(path)]));
    });

    it("refuses a file that replaced an installed one, until it is forced", async () => {
      writeFileSync(path, networks);
      expect(await refusal(databases)).to.match(
        /geo data v1 in .* have no locations, .*.\/geolookup data fetch --force.*GEO_DATA_FORCE=on/,
      );
      await openAndClose(databases, true);
    });

    for (const [what, checked] of [
      ["nothing", undefined],
      ["what cannot be read", { check: "x", kindsBySha256: [] }],
      ["kinds that are not known", { check: 1, kindsBySha256: { ["0".repeat(64)]: ["moods"] } }],
    ] as const)
      it(`succeeds if ${what} was recorded, like by version 0.1`, async () => {
        use(checked);
        await openAndClose(databases);
      });

    /** Damages the file. @returns a list of checked files that says it passed the check. */
    const damage = (): CheckedFiles => {
      const bytes = readFileSync(path);
      bytes[bytes.indexOf("Town 7") - 1] = 0x5f;
      writeFileSync(path, bytes);
      return recordChecked([{ sha256: hash("sha256", bytes), database: { kinds: ["places"] } }]);
    };

    it("reads every record of files that were checked by another version", async () => {
      use({ ...damage(), check: 0 });
      expect(await refusal(databases)).to.match(/a record cannot be decoded/);
    });

    it("skips the check of known files only if no other user could have written the record", async () => {
      use(damage());
      await openAndClose(databases);
      chmodSync(join(folder.path, "current.json"), 0o666);
      expect(await refusal(databases)).to.match(/a record cannot be decoded/);
    });
  });

  describe("after the start", () => {
    let locator: OpenedLocator;
    afterEach(() => locator[Symbol.asyncDispose]());

    it("keeps the places when a file loses them, even if the start was forced", async () => {
      const path = join(folder.path, "towns.mmdb");
      writeFileSync(path, towns);
      locator = await open({ files: [path] }, true);
      writeFileSync(path, networks);
      await until(() => lines.some(({ level }) => level === "error"), "the refusal");
      expect(lines.at(-1)?.problem).to.match(/has no locations/);
      expect(locator.locatePlace("20.0.7.1").place.city).to.equal("Town 7");
    });
  });
});
