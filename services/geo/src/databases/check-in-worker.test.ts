import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { expect } from "chai";
import { MmdbError } from "../mmdb/error.ts";
import { HOSTILE_DATABASES, harmlessDatabase, slowDatabase } from "../testing/hostile-databases.ts";
import { checkInWorker, timeoutOf } from "./check-in-worker.ts";

/** A copy of the bytes in separate memory, ready to be transferred. */
const handedOver = (bytes: Buffer) => new Uint8Array(bytes).buffer;
const failure = (checking: Promise<unknown>) => checking.catch((reason: unknown) => reason);

describe("checkInWorker", () => {
  it("transfers the bytes to the worker, and returns them after the check", async () => {
    const bytes = handedOver(harmlessDatabase());
    const checked = await checkInWorker(bytes);
    expect(bytes.byteLength, "left behind").to.equal(0);
    expect(checked.bytes.equals(harmlessDatabase())).to.equal(true);
    expect(checked.metadata).to.include({ databaseType: "city", nodeCount: 1, buildUnixSeconds: 1_700_000_000 });
  });

  it("reports the problem", async () => {
    const bytes = HOSTILE_DATABASES["billion laughs in a record"]?.() ?? Buffer.alloc(0);
    const error = await failure(checkInWorker(handedOver(bytes)));
    expect(error).to.be.instanceOf(MmdbError).with.property("message").that.includes("values without end");
  });

  it("checks files one after another in one thread, but replaces a thread that has read an invalid file", async () => {
    const good = () => checkInWorker(handedOver(harmlessDatabase()));
    await good();
    let started = 0;
    const onStart = () => started++;
    subscribe("worker_threads", onStart);
    await good();
    await failure(checkInWorker(handedOver(Buffer.from("bad"))));
    expect(started).to.equal(0);
    await good();
    expect(started).to.equal(1);
    await Promise.all([good(), good()]);
    expect(started, "at the same time").to.equal(2);
    unsubscribe("worker_threads", onStart);
  });

  it("is terminated after a timeout", async () => {
    const error = await failure(checkInWorker(handedOver(slowDatabase()), { timeoutMs: 1 }));
    expect(error).to.be.instanceOf(MmdbError).with.property("message").that.includes("takes more than");
  });

  it("is aborted by a signal, before and during the check", async () => {
    const stopping = new AbortController();
    const checking = checkInWorker(handedOver(slowDatabase()), { signal: stopping.signal });
    setImmediate(() => stopping.abort());
    expect(await failure(checking)).to.have.property("name", "AbortError");
    const late = checkInWorker(handedOver(harmlessDatabase()), { signal: stopping.signal });
    expect(await failure(late)).to.have.property("name", "AbortError");
  });

  for (const [megabytes, seconds] of [
    [0, 30],
    [70, 30],
    [150, 30],
    [300, 60],
    [2_000, 400],
  ] as const)
    it(`may take ${seconds} s for ${megabytes} MB`, () => {
      expect(timeoutOf(megabytes * 1e6)).to.equal(seconds * 1_000);
    });
});
