import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { type OpenedLocator, openLocator } from "../locator.ts";
import { capturingLog, temporaryFolder, until } from "../testing/fixtures.ts";
import { harmlessDatabase, slowDatabase, writeHostileDatabases } from "../testing/hostile-databases.ts";

const DEADLINE_MS = 30_000;

describe("a locator whose file is replaced by a hostile one", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let path: string;
  let locator: OpenedLocator;
  let lines: Record<string, unknown>[];

  before(async () => {
    folder = temporaryFolder("hostile");
    path = join(folder.path, "towns.mmdb");
    writeFileSync(path, harmlessDatabase());
    const captured = capturingLog();
    lines = captured.lines;
    const databases = { files: [path] };
    locator = await openLocator({ databases, log: captured.log, registry: new Registry(), pollIntervalMs: 5 });
  });
  after(async () => {
    await locator[Symbol.asyncDispose]();
    folder.remove();
  });

  const city = () => locator.locatePlace("20.0.7.1").place.city;
  const replaceBy = (source: string) => {
    rmSync(`${path}.new`, { force: true });
    symlinkSync(source, `${path}.new`);
    renameSync(`${path}.new`, path);
  };

  it("refuses each, keeps serving, and uses the next valid file", async function () {
    this.timeout(20 * DEADLINE_MS);
    for (const [name, source] of Object.entries(writeHostileDatabases(folder.path))) {
      const refusals = lines.length;
      replaceBy(source);
      const isRefused = () => {
        expect(city(), name).to.equal("Town");
        return lines.length > refusals;
      };
      await until(isRefused, `the refusal of ${name}`, DEADLINE_MS);
      expect(lines.at(-1), name).to.include({ level: "error", file: path });
      expect(lines.at(-1)?.problem, name).to.match(/towns\.mmdb cannot be used: (it|its) /);
    }
    const good = join(folder.path, "good.mmdb");
    writeFileSync(good, harmlessDatabase());
    replaceBy(good);
    await until(() => lines.at(-1)?.level === "info", "the good file", DEADLINE_MS);
    expect(city()).to.equal("Town");
  });

  it("closes during a check, and counts nothing as refused", async () => {
    const before = lines.length;
    writeFileSync(join(folder.path, "slow.mmdb"), slowDatabase());
    replaceBy(join(folder.path, "slow.mmdb"));
    const threads = () => process.getActiveResourcesInfo().filter((kind) => kind === "MessagePort").length;
    const idle = threads();
    await until(() => threads() > idle, "the check", DEADLINE_MS);
    await locator[Symbol.asyncDispose]();
    expect(lines.slice(before)).to.deep.equal([]);
  });
});
