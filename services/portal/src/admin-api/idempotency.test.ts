import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { expect } from "chai";
import { rejection } from "../../../../test/harness/rejection.ts";
import { ApiError } from "./errors.ts";
import { type Attempt, type IdempotencyStore, once } from "./idempotency.ts";

/** Longer than a lease. */
const LATER_MS = 60_000;

/** Keys that were issued, and a store, both of which survive when the process between them is killed. */
function createWorld() {
  const issued = new Map<string, string>();
  const records = new Map<string, { json: string; revision: number }>();
  let prepared = 0;
  let steps = 0;
  let killedAt = Number.POSITIVE_INFINITY;
  /** The process is killed before its nth step, or after it but before the response. */
  const step = async <Result>(act: () => Result): Promise<Result> => {
    if (steps >= killedAt) throw new Error("killed");
    steps += 1;
    const result = act();
    if (steps >= killedAt) throw new Error("killed");
    return result;
  };
  const store: IdempotencyStore = {
    get: (name) => step(() => records.get(name) ?? { json: "", revision: 0 }),
    put: (name, json, revision) =>
      step(() => {
        if ((records.get(name)?.revision ?? 0) !== revision) throw new ServiceError("conflict", "another one");
        records.set(name, { json, revision: revision + 1 });
        return revision + 1;
      }),
  };
  const attempt: Attempt = {
    operator: "alice",
    key: "order-1",
    request: "issue",
    secret: "key",
    prepare: () => step(() => ({ keyId: `key_${++prepared}` })),
    run: (given) =>
      step(() => {
        const keyId = String(given?.keyId);
        if (issued.has(keyId)) throw new ServiceError("conflict", "it exists");
        issued.set(keyId, "a secret");
        return { keyId, key: "a secret" };
      }),
    recover: (given) => step(() => (issued.has(String(given?.keyId)) ? { keyId: String(given?.keyId) } : null)),
  };
  return {
    ...{ issued, records, store, attempt },
    /** The next process is killed before or after so many steps. */
    start: (killedAfter = Number.POSITIVE_INFINITY) => {
      steps = 0;
      killedAt = killedAfter;
    },
    steps: () => steps,
  };
}

describe("a change with an Idempotency-Key", () => {
  it("returns the first result again, without its secret", async () => {
    const { store, attempt, issued } = createWorld();
    expect(await once(store, 0, attempt)).to.deep.equal({ keyId: "key_1", key: "a secret" });
    expect(await once(store, LATER_MS, attempt)).to.deep.equal({ keyId: "key_1", replayed: true });
    expect(issued.size).to.equal(1);
  });

  it("never stores the secret", async () => {
    const { store, attempt, records } = createWorld();
    await once(store, 0, attempt);
    expect(JSON.stringify([...records])).to.include("key_1");
    expect(JSON.stringify([...records])).to.not.include("a secret");
  });

  it("is refused for another request, and separate for another operator", async () => {
    const { store, attempt, issued } = createWorld();
    await once(store, 0, attempt);
    const error = await rejection(once(store, 0, { ...attempt, request: "issue another" }));
    expect(error).to.be.instanceOf(ApiError).with.property("code", "idempotency_key_reused");
    await once(store, 0, { ...attempt, operator: "bob", request: "issue another" });
    expect(issued.size).to.equal(2);
  });

  it("has one effect if it is sent many times at once", async () => {
    const { store, attempt, issued } = createWorld();
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => once(store, 0, attempt)));
    expect(issued.size).to.equal(1);
    const done = results.filter(({ status }) => status === "fulfilled");
    expect(done).to.have.length(1);
    for (const result of results)
      if (result.status === "rejected") expect((result.reason as ApiError).code).to.equal("request_in_progress");
    expect(await once(store, 0, attempt)).to.deep.include({ replayed: true });
  });

  it("can be sent again with other properties if it was refused", async () => {
    const { store, attempt, issued } = createWorld();
    const run = async () => {
      throw new ServiceError("invalid", "no");
    };
    const error = await rejection(once(store, 0, { ...attempt, run }));
    expect(error).to.be.instanceOf(ServiceError).with.property("code", "invalid");
    await once(store, 0, { ...attempt, request: "corrected" });
    expect(issued.size).to.equal(1);
  });

  it("is finished by the next request, at once, if auth didn't respond", async () => {
    const { store, attempt, issued } = createWorld();
    const run: Attempt["run"] = async (prepared) => {
      await attempt.run(prepared);
      throw new ServiceError("unavailable", "no response in time");
    };
    await rejection(once(store, 0, { ...attempt, run }));
    expect(issued.size).to.equal(1);
    expect(await once(store, 1, attempt)).to.deep.equal({ keyId: "key_1", replayed: true });
    expect(issued.size).to.equal(1);
  });

  it("is recovered if the earlier attempt's effect comes after all", async () => {
    const { store, attempt, issued, start } = createWorld();
    start(3);
    await once(store, 0, attempt).catch(() => undefined);
    start();
    expect(issued.size).to.equal(0);
    const recover = (async (prepared) => {
      const found = await attempt.recover(prepared);
      if (found === null) await attempt.run(prepared);
      return found;
    }) satisfies Attempt["recover"];
    expect(await once(store, LATER_MS, { ...attempt, recover })).to.deep.equal({ keyId: "key_1", replayed: true });
    expect(issued.size).to.equal(1);
  });

  const measured = createWorld();
  it("has one effect if the process is killed at any step", async () => {
    measured.start();
    await once(measured.store, 0, measured.attempt);
    const steps = measured.steps();
    expect(steps).to.be.at.least(5);
    for (let killedAfter = 1; killedAfter <= steps; killedAfter++) {
      const { store, attempt, issued, start } = createWorld();
      start(killedAfter);
      await once(store, 0, attempt).catch(() => undefined);
      start();
      const result = await once(store, LATER_MS, attempt);
      expect(issued.size, `killed after ${killedAfter} steps`).to.equal(1);
      expect(result.keyId, `killed after ${killedAfter} steps`).to.equal([...issued.keys()][0]);
    }
  });
});
