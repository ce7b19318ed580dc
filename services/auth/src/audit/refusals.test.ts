import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { AuditLog } from "@geolookup/shared/logs/audit/audit-log.ts";
import { expect } from "chai";
import { pino } from "pino";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { createKeyRegistry } from "../keys/key-registry.ts";
import { prepareAuditTrail } from "./trail.ts";

describe("refused sign-ins in the audit trail", () => {
  it("are stored under one ID, also if NATS stored them and its response was lost", async () => {
    const ids: string[] = [];
    const auditLog: AuditLog = {
      append: async (entries) => {
        ids.push(...entries.map(({ id }) => id));
        if (ids.length < 2) throw new ServiceError("unavailable", "no response in time");
        return [...entries];
      },
      positions: async () => null,
      list: async () => ({ entries: [], next: null }),
      [Symbol.asyncDispose]: async () => undefined,
    };
    let nowMs = Date.UTC(2026, 0, 2);
    const prepared = await prepareAuditTrail({
      ...{ auditLog, registry: createKeyRegistry(), keyLog: { eventsOf: async () => [] }, nats: undefined },
      ...{ clock: () => nowMs, print: null, log: pino({ level: "silent" }) },
    });
    const operatorLog = {
      ...{ follow: () => undefined, append: async () => undefined, refresh: async () => undefined },
      ...{ events: () => [], ageMs: () => 0, [Symbol.asyncDispose]: async () => undefined },
    };
    await using trail = prepared.open({ plans: { held: () => null, lastChange: () => undefined }, operatorLog });
    trail.refused("token");
    nowMs += 60_000;
    await waitFor("the second attempt", () => ids.length > 1, 10_000);
    expect(new Set(ids).size).to.equal(1);
  });
});
