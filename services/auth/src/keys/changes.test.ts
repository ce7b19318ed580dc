import { randomBytes } from "node:crypto";
import type { KeyLog } from "@geolookup/shared/domain/key-event.ts";
import { openFileKeyLog } from "@geolookup/shared/logs/keys/file/key-log.ts";
import { keyEvent } from "@geolookup/shared/logs/keys/key-log.suite.ts";
import { expect } from "chai";
import { pino } from "pino";
import { rejection } from "../../../../test/harness/rejection.ts";
import { tempFolder } from "../../../../test/harness/temp-folder.ts";
import { newRingText, parseRing } from "../signing/signing-ring.ts";
import { createChanges } from "./changes.ts";
import { createCustomerAdmin } from "./customer-admin.ts";
import type { IssueRequest } from "./key.ts";
import { createKeyAdmin } from "./key-admin.ts";
import { createKeyRegistry } from "./key-registry.ts";

const REQUEST: IssueRequest = { kind: "secret", plan: "free", label: "", origins: [] };
const KEY_ID = "key_000000000000";
const PLANS = new Map([["free", { fields: "free", monthlyRequests: 5 }]] as const);

describe("changes before every process was upgraded", () => {
  let keyLog: KeyLog;
  const open = async (finishesUpgrades?: string) => {
    keyLog = await openFileKeyLog({ folder: tempFolder(), log: pino({ level: "silent" }) });
    await keyLog.append(keyEvent(KEY_ID, 1));
    const registry = createKeyRegistry();
    await keyLog.follow(registry);
    const ring = parseRing(newRingText(randomBytes));
    const context = { keyLog, registry, clock: Date.now, plans: () => PLANS, ring: () => ring, randomBytes };
    const changes = createChanges({ ...context, finishesUpgrades });
    return {
      ...{ registry, changes },
      admin: createKeyAdmin({ ...context, changes }),
      customers: createCustomerAdmin({ ...context, changes }),
    };
  };
  type Opened = Awaited<ReturnType<typeof open>>;
  afterEach(() => keyLog[Symbol.asyncDispose]());

  const news: [what: string, change: (opened: Opened) => Promise<unknown>][] = [
    ["rotating a key", ({ admin }) => admin.rotate(KEY_ID, 0, "test")],
    ["an expiry", ({ admin }) => admin.change(KEY_ID, { type: "ChangeExpiry", expiresAt: "2999-01-01" }, "test")],
    ["a new key with an expiry", ({ admin }) => admin.issue({ ...REQUEST, expiresAt: "2999-01-01" }, "test")],
    ["a new key with metadata", ({ admin }) => admin.issue({ ...REQUEST, metadata: { a: "b" } }, "test")],
    [
      "preparing keys, one of which expires",
      ({ admin }) => admin.prepare([REQUEST, { ...REQUEST, expiresAt: "2999-01-01" }], "test"),
    ],
    ["disabling a key", ({ admin }) => admin.change(KEY_ID, { type: "DisableKey", reason: "" }, "test")],
    ["metadata", ({ admin }) => admin.change(KEY_ID, { type: "ChangeMetadata", metadata: { a: "b" } }, "test")],
    [
      "adding a customer",
      ({ customers }) => customers.change("acme", { type: "AddCustomer", id: "acme", name: "", plan: "free" }, "test"),
    ],
  ];
  for (const [what, change] of news) {
    it(`refuses ${what}, in one line that says what to do`, async () => {
      const opened = await open();
      const error = await rejection(change(opened));
      expect(error).to.include({ code: "precondition" });
      expect(error.message).to.match(/^this needs version 0\.3 in every process\..*`\.\/geolookup upgrade --finish`/);
      expect(opened.registry.position().sequence).to.equal(1);
    });
    it(`allows ${what} afterwards`, async () => {
      const opened = await open();
      await opened.changes.finishUpgrade("0.3.0", "test");
      await change(opened);
    });
  }

  it("allows what version 0.2 understands", async () => {
    const { admin } = await open();
    const { key } = await admin.issue(REQUEST, "test");
    await admin.change(key.keyId, { type: "ChangeLabel", label: "x" }, "test");
    await admin.change(key.keyId, { type: "RevokeKey", reason: "" }, "test");
  });

  it("records a finished upgrade once for each version", async () => {
    const { changes, registry } = await open();
    const first = await changes.finishUpgrade("0.3.0", "alice");
    expect(first).to.deep.include({ data: { version: "0.3.0" }, by: "alice" });
    expect(await changes.finishUpgrade("0.3.0", "bob")).to.deep.equal(first);
    expect((await changes.finishUpgrade("0.4.0", "bob")).data).to.deep.equal({ version: "0.4.0" });
    expect(registry.position().sequence).to.equal(3);
  });

  it("records it by itself before the first new event if no other process can run another version", async () => {
    const { admin, registry } = await open("0.3.0");
    await admin.change(KEY_ID, { type: "ChangeLabel", label: "x" }, "test");
    expect(registry.upgrade()).to.equal(undefined);
    await admin.change(KEY_ID, { type: "DisableKey", reason: "" }, "test");
    expect(registry.upgrade()?.data).to.deep.equal({ version: "0.3.0" });
    expect(admin.details(admin.get(KEY_ID)).status).to.equal("disabled");
  });
});
