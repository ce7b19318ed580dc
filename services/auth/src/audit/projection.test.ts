import type { KeyEvent } from "@geolookup/shared/domain/key-event.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { AuditLog } from "@geolookup/shared/logs/audit/audit-log.ts";
import { openJetStreamAuditLog } from "@geolookup/shared/logs/audit/jet-stream.ts";
import { setUpStreams } from "@geolookup/shared/logs/set-up-streams.ts";
import { openNats } from "@geolookup/shared/runtime/nats/connection.ts";
import { expect } from "chai";
import { pino } from "pino";
import { startNatsServer } from "../../../../test/harness/nats-server.ts";
import { rejection } from "../../../../test/harness/rejection.ts";
import { createProjection } from "./projection.ts";

describe("the projection to the audit trail", () => {
  it("doesn't wait for a connection to the key log that was lost: the next one begins again", async () => {
    const auditLog: AuditLog = {
      append: async () => [],
      positions: async () => ({ keys: { sequence: 7, eventId: "e7" } }),
      list: async () => ({ entries: [], next: null }),
      [Symbol.asyncDispose]: async () => undefined,
    };
    const closing = new AbortController();
    const { begin } = createProjection({
      ...{ auditLog, over: closing.signal, log: pino({ level: "silent" }) },
      ...{ earlier: async () => [], onStored: () => undefined },
    });
    const keys = { name: "keys", end: { sequence: 9, eventId: "e9" } } as const;
    try {
      const lost = begin({ ...keys, eventIdAt: () => Promise.reject(new Error("connection closed")) });
      expect((await rejection(lost)).message).to.equal("connection closed");
      expect(await begin({ ...keys, eventIdAt: async () => "e7" })).to.equal(7);
    } finally {
      closing.abort();
    }
  });

  const labeled = (version: number, label: string) => ({
    ...{ id: `e${version}`, keyId: "key_1", version, at: "2026-01-02T03:04:05.678Z", by: "alice" },
    ...({ type: "KeyLabelChanged", data: { label } } as const),
  });
  const logged = (events: KeyEvent[]) => events.map((event) => ({ event, sequence: event.version }));
  const read = async (auditLog: AuditLog) =>
    (await auditLog.list({ pageSize: 10, after: null, isVisible: () => true })).entries;

  it("stores a change that is too large for NATS shortened, and continues", async () => {
    await using server = await startNatsServer();
    await using nats = openNats({ url: server.url, name: "test", log: pino({ level: "silent" }) });
    await setUpStreams(await (await nats.connected()).jetStream(5_000), { replicas: 1 });
    await using auditLog = openJetStreamAuditLog(nats);
    const { write } = createProjection({
      ...{ auditLog, over: AbortSignal.timeout(5_000), log: pino({ level: "silent" }) },
      ...{ earlier: async () => [], onStored: () => undefined },
    });
    expect(await write("keys", logged([labeled(1, "x".repeat(700_000)), labeled(2, "short")]))).to.equal(true);
    const stored = await read(auditLog);
    expect(stored.map(({ id, after }) => ({ id, after })).sort((a, b) => a.id.localeCompare(b.id))).to.deep.equal([
      { id: "e1", after: { shortened: "too large for an entry; changed: label" } },
      { id: "e2", after: { label: "short" } },
    ]);
  });

  it("continues behind a change whose earlier events are damaged, but waits for those that are unavailable", async () => {
    const appended: object[] = [];
    const auditLog: AuditLog = {
      append: async (entries) => {
        appended.push(...entries.map(({ id, after }) => ({ id, after })));
        return [...entries];
      },
      positions: async () => null,
      list: async () => ({ entries: [], next: null }),
      [Symbol.asyncDispose]: async () => undefined,
    };
    let tries = 0;
    const { write } = createProjection({
      ...{ auditLog, over: AbortSignal.timeout(5_000), log: pino({ level: "silent" }), onStored: () => undefined },
      earlier: async ({ id }) => {
        if (id === "e1") throw new Error("damaged");
        tries += 1;
        if (tries === 1) throw new ServiceError("unavailable", "NATS is down");
        return [];
      },
    });
    expect(await write("keys", logged([labeled(1, "a"), labeled(2, "b")]))).to.equal(true);
    expect(appended).to.deep.equal([
      { id: "e1", after: { shortened: "the events before it can't be read" } },
      { id: "e2", after: { label: "b" } },
    ]);
  });
});
