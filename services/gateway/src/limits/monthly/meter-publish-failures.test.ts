import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { type Meter, openMeter } from "./meter.ts";
import { createUsageFolders } from "./testing/usage-folders.ts";

const DEADLINE_MS = 5_000;

describe("meter on a stream with wrong settings", () => {
  const folders = createUsageFolders();
  let meter: Meter | undefined;
  after(async () => {
    await meter?.[Symbol.asyncDispose]();
    folders.remove();
  });

  it("logs the error once, and keeps counting", async () => {
    const said: string[] = [];
    let attempts = 0;
    meter = await openMeter({
      folder: folders.journals,
      usageLog: {
        publish() {
          attempts += 1;
          return Promise.reject(attempts < 5 ? new StartError("max_msgs is 5") : new StartError("max_msgs is 6"));
        },
        follow: async () => new AsyncDisposableStack(),
        [Symbol.asyncDispose]: async () => {},
      },
      // A minute at each look: nothing is held back for having been said lately.
      clock: (
        (nowMs) => () =>
          (nowMs += 60_000)
      )(Date.parse("2026-05-02")),
      log: pino({}, { write: (line: string) => void said.push(JSON.parse(line).err?.message) }),
      registry: new Registry(),
      flushIntervalMs: 1,
    });
    const admission = await meter.admit({ keyId: "key1", monthlyRequests: 10 });
    if (admission.admitted) await admission.count();
    await waitFor("many attempts", () => attempts >= 8, DEADLINE_MS);
    expect(said).to.deep.equal(["max_msgs is 5", "max_msgs is 6"]);
    expect((await meter.admit({ keyId: "key1", monthlyRequests: 10 })).admitted).to.equal(true);
  });
});
