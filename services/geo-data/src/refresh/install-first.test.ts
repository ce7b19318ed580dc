import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { createLog } from "@geolookup/shared/runtime/observability/log.ts";
import { expect } from "chai";
import { installFirst } from "./install-first.ts";

describe("the first data of a geo data server", () => {
  it("is retried after 30 s, and half as often after each further failure, until it is installed", async () => {
    const waits: number[] = [];
    const wait = async (ms: number) => void waits.push(ms / 1_000);
    let runs = 0;
    const run = async () => {
      runs++;
      if (runs < 11) throw new StartError("no vendor can be reached");
    };
    await installFirst(run, { log: createLog("geo-data", "fatal"), wait });
    expect(runs).to.equal(11);
    expect(waits).to.deep.equal([30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
  });

  it("isn't retried after a failure that the operator can't fix", async () => {
    const failing = async () => {
      throw new TypeError("a bug");
    };
    const result = installFirst(failing, { log: createLog("geo-data", "fatal"), wait: async () => {} });
    expect(await result.catch((error: Error) => error.message)).to.equal("a bug");
  });
});
