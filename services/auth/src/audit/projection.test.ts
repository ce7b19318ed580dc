import type { AuditLog } from "@geolookup/shared/logs/audit/audit-log.ts";
import { expect } from "chai";
import { pino } from "pino";
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
});
