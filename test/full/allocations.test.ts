import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { freshIpv4 } from "../harness/addresses.ts";
import type { Deployment } from "../harness/deployment.ts";
import { keepAliveClient } from "../harness/load-client.ts";
import { startStandalone } from "../harness/standalone.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

const TIMEOUT_MS = 60_000;
/** Bytes of objects that a request allocates: about 9,850 with a key and 8,550 without. */
const MAX_BYTES = { keyed: 10_300, keyless: 9_000 };
const TOGETHER = 64;
const TIMES = 40;
/** All code is compiled once this many rounds in a row stay above this share of the lowest round so far. */
const STEADY_ROUNDS = 3;
const STEADY_SHARE = 0.995;
const REQUESTS = TOGETHER * TIMES;

describe("memory that a request allocates", () => {
  let standalone: Deployment;
  let folder: string;
  before("start standalone", async function () {
    this.timeout(TIMEOUT_MS);
    folder = tempFolder();
    const hook = new URL("allocation-hook.ts", import.meta.url).href;
    standalone = await startStandalone({
      NODE_OPTIONS: `--import=${hook}`,
      ALLOCATION_REPORTS: folder,
      KEYLESS_LIMIT: "1000000",
    });
  });
  after("stop it", () => standalone?.stop());

  const read = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
  const marked = async (name: string) => {
    const path = join(folder, `${name}.json`);
    rmSync(path, { force: true });
    process.kill(read("loaded").pid, "SIGUSR2");
    await waitFor(`standalone to have ${name}`, () => existsSync(path), TIMEOUT_MS);
    return read(name) as { allocatedBytes: number };
  };
  /** Requests on 64 connections, one at a time on each. */
  const ask = async (target: string) => {
    await using closing = new AsyncDisposableStack();
    const clients = Array.from({ length: TOGETHER }, () => closing.use(keepAliveClient()));
    for (let time = 0; time < TIMES; time += 1) {
      const outcomes = await Promise.all(
        clients.map((client) => client.get(`${standalone.url}${target}`, freshIpv4())),
      );
      for (const outcome of outcomes) expect(outcome).to.include({ status: 200 });
    }
  };
  const bytesARequest = async (target: string) => {
    // Interpreted code allocates more, and on a busy machine V8 takes longer to compile it.
    for (let round = 0; round < 4; round += 1) await ask(target);
    let least = Number.POSITIVE_INFINITY;
    for (let steadyRounds = 0; steadyRounds < STEADY_ROUNDS; ) {
      await marked("started");
      await ask(target);
      const { allocatedBytes } = await marked("ended");
      steadyRounds = allocatedBytes < STEADY_SHARE * least ? 0 : steadyRounds + 1;
      least = Math.min(least, allocatedBytes);
    }
    return least / REQUESTS;
  };

  it("with a key", async function () {
    this.timeout(TIMEOUT_MS);
    const { key } = await standalone.issueKey({ plan: "paid" });
    expect(await bytesARequest(`/v1/geo?key=${key}`)).to.be.within(1_000, MAX_BYTES.keyed);
  });
  it("without one", async function () {
    this.timeout(TIMEOUT_MS);
    expect(await bytesARequest("/v1/geo")).to.be.within(1_000, MAX_BYTES.keyless);
  });
});
