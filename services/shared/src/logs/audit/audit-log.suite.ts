import { expect } from "chai";
import { rejection } from "../../../../../test/harness/rejection.ts";
import type { AuditEntry, AuditLog, AuditQuery } from "./audit-log.ts";

/** A trail's store in a test. It outlives the trails that are opened on it. */
export interface AuditLogStore {
  open(): Promise<AuditLog>;
  remove(): Promise<unknown>;
}

/** An invented entry; of two, the one with the greater number is newer. */
export function auditEntry(number: number, change: Partial<AuditEntry> = {}): AuditEntry {
  const at = new Date(Date.UTC(2026, 0, 2) + number * 1_000).toISOString();
  return { id: `event-${number}`, at, by: "alice", action: "KeyLabelChanged", subject: `key_${number % 3}`, ...change };
}

const QUERY: AuditQuery = { pageSize: 100, after: null, isVisible: () => true };

/** All entries that a query finds, page by page. */
export async function listAll(log: AuditLog, query: Partial<AuditQuery> = {}): Promise<AuditEntry[]> {
  const found: AuditEntry[] = [];
  let after: string | null = null;
  do {
    const page = await log.list({ ...QUERY, ...query, after });
    found.push(...page.entries);
    after = page.next;
  } while (after !== null);
  return found;
}

const numbers = (entries: readonly AuditEntry[]) => entries.map(({ id }) => Number(id.split("-")[1]));

/** The conformance suite of AuditLog adapters. `createStore` creates a new, empty store. */
export function describeAuditLog(name: string, createStore: () => Promise<AuditLogStore>): void {
  describe(`audit trail: ${name}`, () => {
    let store: AuditLogStore;
    let log: AuditLog;
    beforeEach(async () => {
      store = await createStore();
      log = await store.open();
    });
    afterEach(async () => {
      await log[Symbol.asyncDispose]();
      await store.remove();
    });
    const reopen = async () => {
      await log[Symbol.asyncDispose]();
      log = await store.open();
    };

    it("is empty at first", async () => {
      expect(await log.positions()).to.equal(null);
      expect(await log.list(QUERY)).to.deep.equal({ entries: [], next: null });
    });

    it("keeps entries with all their properties, and the positions of the last ones", async () => {
      const entry = auditEntry(1, { before: { plan: "free" }, after: { plan: "paid" } });
      const sum = auditEntry(2, { action: "SignInRefused", by: "", subject: "token", count: 17 });
      const positions = { keys: { sequence: 7, eventId: "e7" }, operators: { sequence: 0, eventId: "" } };
      await log.append([entry], {});
      const given = { ...positions };
      await log.append([sum], given);
      given.keys = { sequence: 8, eventId: "e8" };
      expect(await log.positions()).to.deep.equal(positions);
      await reopen();
      expect(await log.positions()).to.deep.equal(positions);
      expect(await listAll(log)).to.deep.equal([sum, entry]);
    });

    it("stores an entry once, also if it is appended again after a restart", async () => {
      const entries = [auditEntry(1), auditEntry(2)];
      expect(await log.append(entries, {})).to.deep.equal(entries);
      expect(await log.append(entries, {})).to.deep.equal([]);
      await reopen();
      const third = auditEntry(3);
      expect(await log.append([...entries, third], {})).to.deep.equal([third]);
      expect(numbers(await listAll(log))).to.deep.equal([3, 2, 1]);
    });

    it("lists pages, newest first, without a gap while entries are added", async () => {
      for (let number = 1; number <= 25; number += 1) await log.append([auditEntry(number)], {});
      const first = await log.list({ ...QUERY, pageSize: 10 });
      await log.append([auditEntry(26)], {});
      const second = await log.list({ ...QUERY, pageSize: 10, after: first.next });
      const third = await log.list({ ...QUERY, pageSize: 10, after: second.next });
      const expected = Array.from({ length: 25 }, (_, index) => 25 - index);
      expect(numbers([first, second, third].flatMap(({ entries }) => entries))).to.deep.equal(expected);
      expect(third.next).to.equal(null);
      expect(numbers(await listAll(log, { pageSize: 13 }))).to.deep.equal([26, ...expected]);
    });

    const filters: [what: string, query: Partial<AuditQuery>, expected: number[]][] = [
      ["of an operator", { by: "bob" }, [4, 2]],
      ["with an action", { action: "KeyIssued" }, [3]],
      ["of a subject", { subject: "key_1" }, [4, 1]],
      ["since a time, inclusively", { since: auditEntry(3).at }, [4, 3]],
      ["until a time, exclusively", { until: auditEntry(3).at }, [2, 1]],
      ["of several of these", { by: "bob", until: auditEntry(3).at }, [2]],
      ["that may be seen", { isVisible: (action) => action === "KeyIssued" }, [3]],
      ["of nobody", { by: "carol" }, []],
    ];
    for (const [what, query, expected] of filters)
      it(`lists entries ${what}`, async () => {
        await log.append([auditEntry(1), auditEntry(2, { by: "bob" })], {});
        await log.append([auditEntry(3, { action: "KeyIssued" }), auditEntry(4, { by: "bob" })], {});
        expect(numbers(await listAll(log, query))).to.deep.equal(expected);
        expect(numbers(await listAll(log, { ...query, pageSize: 1 }))).to.deep.equal(expected);
      });

    it("finds a rare entry among thousands", async () => {
      const entries = Array.from({ length: 3_000 }, (_, index) =>
        auditEntry(index + 1, index === 4 ? { by: "bob" } : {}),
      );
      for (let from = 0; from < entries.length; from += 500) await log.append(entries.slice(from, from + 500), {});
      expect(numbers(await listAll(log, { by: "bob" }))).to.deep.equal([5]);
    });

    for (const after of ["0", "-1", "x", "2026-01:0", "1:2:3", "9".repeat(20)])
      it(`refuses the page token ${after}`, async () => {
        await log.append([auditEntry(1)], {});
        expect(await rejection(log.list({ ...QUERY, after }))).to.include({ code: "invalid" });
      });
  });
}
