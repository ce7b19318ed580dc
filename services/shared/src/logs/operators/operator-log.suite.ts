import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { rejection } from "../../../../../test/harness/rejection.ts";
import { VersionConflict } from "../../domain/key-event.ts";
import type { OperatorEvent, OperatorLog } from "./operator-log.ts";

/** A log's store in a test. It outlives the logs that are opened on it. */
export interface OperatorLogStore {
  /** Opens a log; the suite closes it. */
  open(): Promise<OperatorLog>;
  /** How many logs may be open at once. */
  writers: number;
  remove(): Promise<unknown>;
}

/** An invented event. */
export function operatorEvent(operator: string, version: number, id: string = randomUUID()): OperatorEvent {
  const envelope = { id, operator, version, at: "2026-01-02T03:04:05.678Z", by: "admin" };
  if (version > 1) return { ...envelope, type: "OperatorRoleChanged", data: { role: "admin" } };
  return { ...envelope, type: "OperatorAdded", data: { role: "viewer", tokenSha256: "ab".repeat(32) } };
}

/** Follows a log. @returns the IDs of the events that it has. */
export async function followed(log: OperatorLog): Promise<string[]> {
  const ids: string[] = [];
  await new Promise<void>((resolve) => {
    log.follow({
      reset: (events) => {
        ids.splice(0, ids.length, ...events.map(({ id }) => id));
        resolve();
      },
      apply: ({ id }) => void ids.push(id),
    });
  });
  return ids;
}

/** The conformance suite of OperatorLog adapters. `createStore` creates a new, empty store. */
export function describeOperatorLog(name: string, createStore: () => Promise<OperatorLogStore>): void {
  describe(`log of operators: ${name}`, () => {
    let store: OperatorLogStore;
    let opened: AsyncDisposableStack;
    beforeEach(async () => {
      store = await createStore();
      opened = new AsyncDisposableStack();
    });
    afterEach(async () => {
      await opened.disposeAsync();
      await store.remove();
    });
    const open = async () => {
      const log = opened.use(await store.open());
      return { log, ids: await followed(log) };
    };

    it("has each event when it is appended, and again after it was opened again", async () => {
      const { log, ids } = await open();
      const events = [operatorEvent("alice", 1), operatorEvent("b.o_b@example.com", 1), operatorEvent("alice", 2)];
      for (const event of events) await log.append(event);
      expect(ids).to.deep.equal(events.map(({ id }) => id));
      expect(log.events()).to.deep.equal(events);
      expect(log.ageMs()).to.be.below(5_000);
      await log[Symbol.asyncDispose]();
      const again = await open();
      expect(again.log.events()).to.deep.equal(events);
      expect(again.ids).to.deep.equal(ids);
    });

    it("stores an event once that is appended again", async () => {
      const { log } = await open();
      const event = operatorEvent("alice", 1);
      await log.append(event);
      await log.append(event);
      expect(log.events()).to.deep.equal([event]);
    });

    for (const version of [1, 3])
      it(`refuses version ${version} after version 1`, async () => {
        const { log } = await open();
        await log.append(operatorEvent("alice", 1));
        expect(await rejection(log.append(operatorEvent("alice", version)))).to.be.instanceOf(VersionConflict);
        expect(log.events()).to.have.length(1);
      });

    it("lets one of many concurrent changes win", async () => {
      const logs = await Promise.all(Array.from({ length: store.writers }, async () => (await open()).log));
      const writers = Array.from({ length: 6 }, (_, index) => logs[index % logs.length] as OperatorLog);
      const results = await Promise.allSettled(writers.map((log) => log.append(operatorEvent("alice", 1))));
      expect(results.filter(({ status }) => status === "fulfilled")).to.have.length(1);
      for (const log of logs) {
        await log.refresh();
        expect(log.events()).to.have.length(1);
      }
    });

    it("has what others appended, after refresh()", async () => {
      const writer = await open();
      const reader = store.writers > 1 ? await open() : writer;
      for (let index = 0; index < 20; index += 1) {
        const event = operatorEvent(`alice${index}`, 1);
        await writer.log.append(event);
        await reader.log.refresh();
        expect(reader.ids.at(-1)).to.equal(event.id);
      }
    });
  });
}
