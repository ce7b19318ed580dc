import { openFileAuditLog } from "@geolookup/shared/logs/audit/file.ts";
import { expect } from "chai";
import { pino } from "pino";
import { tempFolder } from "../../../../test/harness/temp-folder.ts";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { createKeyRegistry } from "../keys/key-registry.ts";
import type { PlansCheck } from "../plans/keep-plans.ts";
import { prepareAuditTrail } from "./trail.ts";

const log = pino({ level: "silent" });
const DEADLINE_MS = 10_000;

describe("held plans in the audit trail", () => {
  it("have one entry for each content that is held, also after a restart", async () => {
    const dataDir = tempFolder();
    let held: PlansCheck | null = { hash: "first", differences: [], holds: ["2 keys would lose fields"] };
    const printed: string[] = [];
    const open = async () => {
      const opened = new AsyncDisposableStack();
      const auditLog = opened.use(await openFileAuditLog({ dataDir, retentionMs: 86_400_000, clock: Date.now, log }));
      const prepared = await prepareAuditTrail({
        ...{ auditLog, registry: createKeyRegistry(), keyLog: { eventsOf: async () => [] }, nats: undefined, log },
        ...{ clock: Date.now, print: (line: string) => void printed.push(line) },
      });
      const operatorLog = {
        ...{ follow: () => undefined, append: async () => undefined, refresh: async () => undefined },
        ...{ events: () => [], ageMs: () => 0, [Symbol.asyncDispose]: async () => undefined },
      };
      const trail = opened.use(
        prepared.open({ plans: { held: () => held, lastChange: () => undefined }, operatorLog }),
      );
      const hashes = async () =>
        (
          await trail.list({ pageSize: 100, after: null, action: "PlansHeld" }, { name: "bob", role: "operator" })
        ).entries.map(({ by, subject, after }) => ({ by, subject, ...after }));
      return { hashes, [Symbol.asyncDispose]: () => opened.disposeAsync() };
    };
    const entry = (hash: string) => ({ by: "plans file", subject: "plans", hash, holds: ["2 keys would lose fields"] });
    {
      await using trail = await open();
      await waitFor("the first", async () => (await trail.hashes()).length > 0, DEADLINE_MS);
      expect(await trail.hashes()).to.deep.equal([entry("first")]);
    }
    await using trail = await open();
    held = { ...held, hash: "second" };
    await waitFor("the second", async () => (await trail.hashes()).length > 1, DEADLINE_MS);
    expect(await trail.hashes()).to.deep.equal([entry("second"), entry("first")]);
    held = null;
    expect(printed.map((line) => JSON.parse(line).after.hash)).to.deep.equal(["first", "second"]);
  });
});
