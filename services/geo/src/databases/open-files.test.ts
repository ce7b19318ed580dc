import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { expect } from "chai";
import { temporaryFolder } from "../testing/fixtures.ts";
import { harmlessDatabase, slowDatabase } from "../testing/hostile-databases.ts";
import { openFiles } from "./open-files.ts";

const failure = (opening: Promise<unknown>) => opening.catch((reason: unknown) => reason);

describe("openFiles", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let running: number;
  let mostRunning: number;
  const onStart = (message: unknown) => {
    running += 1;
    mostRunning = Math.max(mostRunning, running);
    (message as { worker: Worker }).worker.once("exit", () => {
      running -= 1;
    });
  };
  const fileOf = (name: string, bytes: Buffer) => {
    const path = join(folder.path, name);
    writeFileSync(path, bytes);
    return path;
  };
  beforeEach(async () => {
    folder = temporaryFolder("open-files");
    // Threads of earlier tests end.
    await setTimeout(1_100);
    running = 0;
    mostRunning = 0;
    subscribe("worker_threads", onStart);
  });
  afterEach(() => {
    unsubscribe("worker_threads", onStart);
    folder.remove();
  });

  for (const threads of [1, 2])
    it(`checks ${threads} at a time, and returns them in their order`, async () => {
      const names = ["a.mmdb", "b.mmdb", "c.mmdb", "d.mmdb", "e.mmdb"];
      const paths = names.map((name) => fileOf(name, harmlessDatabase()));
      const opened = await openFiles(paths, { threads });
      expect(opened.map(({ database }) => database.info.name)).to.deep.equal(names);
      expect(opened.map(({ path }) => path)).to.deep.equal(paths);
      expect(mostRunning).to.equal(threads);
    });

  it("ends the other checks once a file can't be used, and names it", async () => {
    const paths = [fileOf("slow.mmdb", slowDatabase()), fileOf("bad.mmdb", Buffer.from("bad"))];
    const error = await failure(openFiles(paths, { threads: 2 }));
    expect(error).to.be.instanceOf(StartError).with.property("message").that.includes("bad.mmdb cannot be used");
    expect(running).to.equal(0);
  });

  it("is aborted by a signal", async () => {
    const stopping = new AbortController();
    const paths = ["a.mmdb", "b.mmdb", "c.mmdb"].map((name) => fileOf(name, slowDatabase()));
    const opening = failure(openFiles(paths, { threads: 2, signal: stopping.signal }));
    await setTimeout(20);
    stopping.abort();
    expect(await opening).to.have.property("name", "AbortError");
    expect(running).to.equal(0);
  });
});
