import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { isRunning } from "../files/service-record.ts";
import { startCompanion } from "./companion.ts";

const WITHIN_MS = 20_000;

describe("a companion process", () => {
  let folder: string;
  let script: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "geolookup-companion-"));
    script = join(folder, "companion.cjs");
    const note = `require("node:fs").appendFileSync(${JSON.stringify(join(folder, "pids"))}, process.pid + "\\n");`;
    writeFileSync(script, `process.on("disconnect", () => process.exit(0)); ${note}`);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const pids = () => {
    const file = join(folder, "pids");
    return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1).map(Number) : [];
  };
  const started = (count: number) =>
    waitFor(`start ${count}`, () => (pids().length >= count ? (pids()[count - 1] as number) : undefined), WITHIN_MS);

  it("is restarted with a growing delay when it exits, and exits when it is disposed of", async function () {
    this.timeout(2 * WITHIN_MS);
    const ends: string[] = [];
    const companion = startCompanion({
      script,
      args: [],
      onEnd: (how, seconds) => void ends.push(`${how}, ${seconds} s`),
      firstRestartMs: 600,
    });
    process.kill(await started(1), "SIGKILL");
    process.kill(await started(2), "SIGKILL");
    const pid = await started(3);
    expect(ends).to.deep.equal(["ended by SIGKILL, 1 s", "ended by SIGKILL, 1 s"]);
    await companion[Symbol.asyncDispose]();
    expect(isRunning({ pid })).to.equal(false);
    expect([ends.length, pids().length], "not started again").to.deep.equal([2, 3]);
  });

  it("can be disposed of while it isn't running", async () => {
    const ended = Promise.withResolvers<string>();
    writeFileSync(script, "process.exitCode = 1");
    const companion = startCompanion({ script, args: [], onEnd: ended.resolve });
    expect(await ended.promise).to.equal("ended with status 1");
    await companion[Symbol.asyncDispose]();
  });

  for (const signal of ["SIGTERM", "SIGKILL"] as const)
    it(`exits when its parent process gets ${signal}`, async function () {
      this.timeout(WITHIN_MS);
      const module = JSON.stringify(new URL("companion.ts", import.meta.url).href);
      const code = `const { startCompanion } = await import(${module});
        startCompanion({ script: ${JSON.stringify(script)}, args: [], onEnd: () => {} });
        setInterval(() => {}, 1_000);`;
      const parent = spawn(process.execPath, ["--input-type=module", "--eval", code], { stdio: "ignore" });
      const pid = await started(1);
      expect(isRunning({ pid })).to.equal(true);
      parent.kill(signal);
      await waitFor("the companion to end", () => !isRunning({ pid }), WITHIN_MS);
    });
});
