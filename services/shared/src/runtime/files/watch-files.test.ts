import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { tempFolder } from "../../../../../test/harness/temp-folder.ts";
import { currentSignature, type PollResult, watchFiles } from "./watch-files.ts";

describe("watching files", () => {
  let path: string;
  let other: string;
  let used: string[];
  let refusals: string[];
  beforeEach(() => {
    const folder = tempFolder();
    [path, other] = [join(folder, "a"), join(folder, "b")];
    for (const file of [path, other]) writeFileSync(file, "old");
    used = [];
    refusals = [];
  });

  const text = () => {
    const read = `${readFileSync(path, "utf8")} ${readFileSync(other, "utf8")}`;
    if (read.includes("bad")) throw new Error(`refused: ${read}`);
    return read;
  };
  const watch = async (options: { read?: () => string; onMissing?: () => void; retriesRefused?: boolean } = {}) =>
    watchFiles({
      paths: [path, other],
      signature: await currentSignature([path, other]),
      read: text,
      use: (content) => used.push(content),
      onRefused: ({ message }) => refusals.push(message),
      ...options,
    });
  const poll = async (watched: () => Promise<PollResult>, times: number) => {
    const results: PollResult[] = [];
    for (let time = 0; time < times; time += 1) results.push(await watched());
    return results;
  };

  it("waits until two consecutive polls find them unchanged", async () => {
    const watched = await watch();
    for (const part of [", new", " and", " newer"]) {
      appendFileSync(path, part);
      expect(await watched()).to.equal("unchanged");
    }
    expect(await poll(watched, 2)).to.deep.equal(["reloaded", "unchanged"]);
    expect(used).to.deep.equal(["old, new and newer old"]);
  });

  it("doesn't use a file that changed while it was read", async () => {
    let isWritten = false;
    const watched = await watch({
      read: () => {
        const content = text();
        if (!isWritten) writeFileSync(other, "written meanwhile");
        isWritten = true;
        return content;
      },
    });
    writeFileSync(path, "new");
    expect(await poll(watched, 4)).to.deep.equal(["unchanged", "unchanged", "unchanged", "reloaded"]);
    expect(used).to.deep.equal(["new written meanwhile"]);
  });

  it("keeps the old ones while the new ones are refused, and reports that once per change", async () => {
    const watched = await watch();
    writeFileSync(path, "bad");
    expect(await poll(watched, 4)).to.deep.equal(["unchanged", "refused", "unchanged", "unchanged"]);
    writeFileSync(path, "bad again");
    expect(await poll(watched, 3)).to.deep.equal(["unchanged", "refused", "unchanged"]);
    writeFileSync(path, "good");
    expect(await poll(watched, 2)).to.deep.equal(["unchanged", "reloaded"]);
    expect([used, refusals]).to.deep.equal([["good old"], ["refused: bad old", "refused: bad again old"]]);
  });

  it("retries refused ones if they may become valid, and reports each reason once", async () => {
    let reason: string | null = "too early";
    const watched = await watch({
      retriesRefused: true,
      read: () => {
        if (reason !== null) throw new Error(reason);
        return text();
      },
    });
    writeFileSync(path, "new");
    expect(await poll(watched, 4)).to.deep.equal(["unchanged", "refused", "unchanged", "unchanged"]);
    reason = "too late";
    expect(await poll(watched, 2)).to.deep.equal(["refused", "unchanged"]);
    reason = null;
    expect(await poll(watched, 2)).to.deep.equal(["reloaded", "unchanged"]);
    expect([used, refusals]).to.deep.equal([["new old"], ["too early", "too late"]]);
  });

  it("reports a missing file once, and uses it when it returns", async () => {
    let missing = 0;
    const watched = await watch({ onMissing: () => (missing += 1) });
    renameSync(path, `${path}.away`);
    expect(await poll(watched, 4)).to.deep.equal(["unchanged", "missing", "unchanged", "unchanged"]);
    renameSync(`${path}.away`, path);
    writeFileSync(path, "back");
    expect(await poll(watched, 2)).to.deep.equal(["unchanged", "reloaded"]);
    expect(missing).to.equal(1);
  });

  it("lets the reader refuse a missing file", async () => {
    const watched = await watch();
    rmSync(path);
    expect(await poll(watched, 2)).to.deep.equal(["unchanged", "refused"]);
    expect(refusals[0]).to.match(/ENOENT/);
  });
});
