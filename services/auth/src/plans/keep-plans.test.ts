import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mock } from "node:test";
import type { KeyLog } from "@geolookup/shared/domain/key-event.ts";
import type { KeyUsage } from "@geolookup/shared/domain/usage.ts";
import { openFileKeyLog } from "@geolookup/shared/logs/keys/file/key-log.ts";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { rejection, startError } from "../../../../test/harness/rejection.ts";
import { tempFolder } from "../../../../test/harness/temp-folder.ts";
import { createChanges } from "../keys/changes.ts";
import { createKeyRegistry } from "../keys/key-registry.ts";
import { createAuthMetrics } from "../metrics.ts";
import { keepPlans, type PlansKeeper } from "./keep-plans.ts";

const plansText = (freeQuota: number, paidFields = "paid") =>
  JSON.stringify({
    free: { fields: "free", monthlyRequests: freeQuota },
    paid: { fields: paidFields, monthlyRequests: 1_000 },
  });

describe("the plans of auth nodes on one key log", () => {
  let folder: string;
  let log: KeyLog;
  let nowMs: number;
  /** By month. */
  let totals: Record<string, Record<string, number>>;
  let isUsageDown: boolean;
  let opened: AsyncDisposableStack;
  beforeEach(async () => {
    // The tests poll.
    mock.timers.enable({ apis: ["setTimeout"] });
    folder = tempFolder();
    opened = new AsyncDisposableStack();
    log = opened.use(await openFileKeyLog({ folder: join(folder, "log"), log: pino({ level: "silent" }) }));
    nowMs = Date.parse("2026-05-10T00:00:00.000Z");
    totals = { "2026-05": { key_free: 9, key_paid: 3, key_revoked: 900, key_unknown: 900 } };
    isUsageDown = false;
    await issue("key_free", "free");
    await issue("key_paid", "paid");
    await issue("key_unused", "paid");
    await issue("key_revoked", "free");
    await log.append({ ...envelope("key_revoked", 2), type: "KeyRevoked", data: { reason: "" } });
  });
  afterEach(async () => {
    await opened.disposeAsync();
    mock.timers.reset();
  });

  let ids = 0;
  const envelope = (keyId: string, version: number) => {
    ids += 1;
    return { id: `e${ids}`, keyId, version, at: "2026-05-01T00:00:00.000Z", by: "test" };
  };
  const issue = (keyId: string, plan: string) =>
    log.append({
      ...{ ...envelope(keyId, 1), type: "KeyIssued" },
      data: {
        kind: "secret",
        plan,
        label: "",
        origins: [],
        keySha256: keyId.length.toString(16).padStart(64, "0"),
        display: "",
      },
    });
  const usage: KeyUsage = {
    async *usedKeys(month, atLeast) {
      if (isUsageDown) throw new Error("down");
      yield new Map();
      yield new Map(Object.entries(totals[month ?? ""] ?? {}).filter(([, total]) => total >= atLeast));
    },
  };

  /** A node with a plans file of its own. */
  const startNode = async (
    name: string,
    text: string,
    options: { sharesFile?: boolean; keyUsage?: KeyUsage | null } = {},
  ) => {
    mkdirSync(join(folder, name), { recursive: true });
    const path = join(folder, name, "plans.json");
    writeFileSync(path, text);
    const lines: Record<string, unknown>[] = [];
    const registry = createKeyRegistry();
    await log.follow(registry);
    const metrics = createAuthMetrics(new Registry(), registry);
    const clock = () => nowMs;
    const changes = createChanges({ keyLog: log, registry, clock });
    const keeper = opened.use(
      await keepPlans({
        ...{ path, sharesFile: true, registry, changes, keyUsage: usage, clock, metrics },
        log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }),
        ...options,
      }),
    );
    const poll = async () => {
      // A change is used when two polls found the file the same.
      await keeper.poll();
      await keeper.poll();
    };
    return {
      keeper,
      changes,
      poll,
      logged: (message: string) => lines.filter(({ msg }) => msg === message),
      held: async () => (await metrics.plansHeld.get()).values[0]?.value,
      edit: async (changed: string) => {
        writeFileSync(path, changed);
        await poll();
      },
    };
  };
  const quota = ({ keeper }: { keeper: PlansKeeper }) => keeper.current().get("free")?.monthlyRequests;
  const changes = async () =>
    (await log.eventsOf("plans")).map((event) =>
      event.type === "PlansChanged" ? [event.version, event.by, event.data.plans.free?.monthlyRequests] : [],
    );

  it("are recorded at the first start, and follow a change at one node, whose differences every node logs", async () => {
    const [a, b] = [await startNode("a", plansText(100)), await startNode("b", plansText(100))];
    expect(await changes()).to.deep.equal([[1, "plans file", 100]]);
    expect(a.keeper.lastChange()).to.include({ version: 1, at: "2026-05-10T00:00:00.000Z", keyId: "plans" });
    await a.edit(plansText(200));
    await b.poll();
    for (const node of [a, b]) {
      expect(quota(node)).to.equal(200);
      const [line] = node.logged("plan changed");
      expect(line).to.include({ plan: "free", field: "monthlyRequests", old: 100, new: 200, keys: 1, version: 2 });
    }
    await b.edit(plansText(200));
    expect(await changes()).to.have.length(2);
    expect(await b.held()).to.equal(0);
  });

  it("can list fields once every process understands that", async () => {
    const node = await startNode("a", plansText(100));
    const own = { fields: ["asn", "country"], monthlyRequests: 5 };
    await node.edit(JSON.stringify({ ...JSON.parse(plansText(100)), own }));
    expect(node.keeper.current().has("own")).to.equal(false);
    expect(node.keeper.held()?.holds[0]).to.include("./geolookup upgrade --finish");
    const confirming = node.keeper.confirm(node.keeper.held()?.hash ?? "", "alice");
    expect(await rejection(confirming)).to.include({ code: "precondition" });
    await node.changes.finishUpgrade("0.3.0", "alice");
    await node.poll();
    expect(node.keeper.current().get("own")?.fields).to.deep.equal(["country", "asn"]);
    expect(node.keeper.held()).to.equal(null);
  });

  it("change once when two nodes see the same new file at once", async () => {
    const [a, b] = [await startNode("a", plansText(100)), await startNode("b", plansText(100))];
    await Promise.all([a.edit(plansText(200)), b.edit(plansText(200))]);
    await Promise.all([a.poll(), b.poll()]);
    expect([quota(a), quota(b)]).to.deep.equal([200, 200]);
    expect(await changes()).to.deep.equal([
      [1, "plans file", 100],
      [2, "plans file", 200],
    ]);
  });

  it("don't go back when a node gets each file later, or starts with an old one; a revert does", async () => {
    const [a, b] = [await startNode("a", plansText(100)), await startNode("b", plansText(100))];
    for (const quota of [200, 300]) await a.edit(plansText(quota));
    await b.edit(plansText(200));
    expect(b.logged("plans file is an old version")[0]).to.include({ version: 2, currentVersion: 3 });
    const late = await startNode("late", plansText(100));
    await late.poll();
    expect(late.logged("plans file is an old version")).to.have.length(1);
    expect([a, b, late].map(quota)).to.deep.equal([300, 300, 300]);
    await b.edit(plansText(300));
    await late.edit(plansText(300));
    expect(await changes()).to.have.length(3);
    await a.edit(plansText(200));
    expect([a, b, late].map(quota)).to.deep.equal([200, 200, 200]);
    expect(await changes()).to.have.length(4);
  });

  it("go back at the start of the only node, since its file isn't a copy", async () => {
    const a = await startNode("a", plansText(100));
    await a.edit(plansText(200));
    const again = await startNode("a", plansText(100), { sharesFile: false });
    expect(quota(again)).to.equal(100);
  });

  it("are held if they would put the shared quota of a customer or of rotated keys over it, and only then", async () => {
    const a = await startNode("a", plansText(100));
    const add = (event: object) => log.append(event as never);
    const free = { kind: "secret", plan: "free", label: "", origins: [], display: "" };
    const customer = (id: string, data: object) =>
      add({ ...envelope(`customer_${id}`, 1), type: "CustomerAdded", data: { name: "", plan: "free", ...data } });
    const issueFor = (keyId: string, more: object) =>
      add({
        ...{ ...envelope(keyId, 1), type: "KeyIssued" },
        data: { ...free, keySha256: Buffer.from(keyId.padEnd(32)).toString("hex"), ...more },
      });
    await customer("small", {});
    await customer("own", { monthlyRequests: 1_000_000 });
    for (const [keyId, id] of [
      ["s1", "small"],
      ["s2", "small"],
      ["o1", "own"],
    ] as const)
      await issueFor(keyId, { customer: id });
    await issueFor("r1", {});
    const successor = { keyId: "r2", keySha256: "ee".repeat(32), display: "" };
    await add({ ...envelope("r1", 2), type: "KeyRotated", data: { successor, endsAt: "2026-06-01T00:00:00Z" } });
    totals = { "2026-05": { s1: 30, s2: 30, o1: 90, r1: 25, r2: 25 } };
    const holdsOf = async (quota: number) => (await a.keeper.check(plansText(quota))).holds;
    expect(await holdsOf(61)).to.deep.equal([]);
    expect(await holdsOf(60)).to.deep.equal([
      "2 keys of the plan free would be over the new quota of 60 requests at once",
    ]);
    expect(await holdsOf(50)).to.deep.equal([
      "4 keys of the plan free would be over the new quota of 50 requests at once",
    ]);
    expect((await a.keeper.check('{"paid":{"fields":"paid","monthlyRequests":5}}')).holds[0]).to.include("free (");
  });

  const held: [what: string, text: string, hold: string][] = [
    [
      "put a key over its quota",
      plansText(5),
      "1 key of the plan free would be over the new quota of 5 requests at once",
    ],
    [
      "leave a key no request",
      plansText(9),
      "1 key of the plan free would be over the new quota of 9 requests at once",
    ],
    [
      "leave no key any request",
      plansText(0),
      "1 key of the plan free would be over the new quota of 0 requests at once",
    ],
    [
      "take fields from a used key",
      plansText(100, "free"),
      "1 key of the plan paid, used this month, would get fewer fields",
    ],
  ];
  for (const [what, text, hold] of held)
    it(`are held if they would ${what}, until exactly that file is confirmed`, async () => {
      const [a, b] = [await startNode("a", plansText(100)), await startNode("b", plansText(100))];
      const { hash, holds } = await a.keeper.check(text);
      expect(holds).to.deep.equal([hold]);
      for (const node of [a, b]) await node.edit(text);
      await a.poll();
      const [line, ...more] = a.logged("plans file held; the current plans stay in use until it is confirmed");
      expect(line).to.deep.include({ hash, holds, level: 50 });
      expect(more).to.deep.equal([]);
      expect(a.logged("plan change held")).to.have.length(1);
      expect([quota(a), await a.held(), await b.held(), a.keeper.held()?.hash]).to.deep.equal([100, 1, 1, hash]);
      expect(a.keeper.current().get("paid")?.fields).to.equal("paid");

      const stale = await a.keeper.check(plansText(6));
      expect(await rejection(a.keeper.confirm(stale.hash, "admin"))).to.include({ code: "precondition" });
      expect(await changes()).to.have.length(1);
      await a.keeper.confirm(hash, "admin");
      await b.poll();
      expect((await changes()).at(-1)).to.deep.equal([2, "admin", JSON.parse(text).free.monthlyRequests]);
      for (const node of [a, b]) expect([node.keeper.held(), await node.held()]).to.deep.equal([null, 0]);
      expect(b.keeper.lastChange()?.data.hash).to.equal(hash);
    });

  it("aren't held if no key is affected, and a held file is dropped when it is changed back", async () => {
    const a = await startNode("a", plansText(100));
    await a.edit(plansText(10));
    expect(quota(a)).to.equal(10);
    await a.edit(plansText(5));
    await a.edit(plansText(10));
    expect([quota(a), await a.held(), a.keeper.held()]).to.deep.equal([10, 0, null]);
    // Its quota was used up before.
    totals["2026-05"] = { key_free: 10 };
    await a.edit(plansText(5));
    expect(quota(a)).to.equal(5);
  });

  it("stay held at a restart, and at other nodes, in the next month; a month later, no key needs more", async () => {
    const [quotaOf5, fewerFields] = [plansText(5), plansText(100, "free")];
    const a = await startNode("a", plansText(100));
    await a.edit(quotaOf5);
    nowMs = Date.parse("2026-06-01T00:00:00.000Z");
    const again = await startNode("a", quotaOf5);
    expect(again.keeper.held()?.holds).to.deep.equal([
      "1 key of the plan free had more requests last month than the new quota of 5",
    ]);
    const other = await startNode("b", fewerFields);
    expect(other.keeper.held()?.holds).to.deep.equal([
      "1 key of the plan paid, used last month, would get fewer fields",
    ]);
    expect([again, other].map(quota)).to.deep.equal([100, 100]);
    expect(other.keeper.current().get("paid")?.fields).to.equal("paid");
    totals["2026-06"] = { key_free: 5 };
    nowMs = Date.parse("2026-07-01T00:00:00.000Z");
    const inJuly = await startNode("a", quotaOf5);
    expect([quota(inJuly), inJuly.keeper.held()]).to.deep.equal([5, null]);
  });

  it("wait while usage is unavailable or unknown, unless no key can be affected", async () => {
    const a = await startNode("a", plansText(100));
    isUsageDown = true;
    await a.edit(plansText(200));
    expect(quota(a)).to.equal(200);
    await a.edit(plansText(20));
    await a.poll();
    expect([quota(a), await a.held()]).to.deep.equal([200, 1]);
    expect(a.logged("plans file waits; retrying")).to.have.length(1);
    expect(a.keeper.held()?.differences).to.have.length(1);
    expect(a.keeper.held()?.holds[0]).to.match(/^usage is unavailable/);
    isUsageDown = false;
    await a.poll();
    expect([quota(a), await a.held()]).to.deep.equal([20, 0]);

    const unaware = await startNode("b", plansText(15), { keyUsage: null });
    expect(unaware.keeper.held()?.holds[0]).to.match(/USAGE_URL isn't set/);
    expect(quota(unaware)).to.equal(20);
  });

  it("can't lose a plan that keys use, even when confirmed; an old file may lack one", async () => {
    const withGold = JSON.stringify({ ...JSON.parse(plansText(100)), gold: { fields: "paid", monthlyRequests: 5 } });
    const a = await startNode("a", plansText(100));
    await a.edit(withGold);
    await issue("key_gold_", "gold");
    await a.edit(plansText(100));
    expect(a.keeper.current().has("gold")).to.equal(true);
    expect((await a.keeper.check(plansText(100))).holds[0]).to.match(
      /it lacks plans that keys or customers use: gold \(1 key\)/,
    );
    const late = await startNode("late", plansText(100));
    const { hash } = await late.keeper.check(plansText(100));
    expect(await rejection(late.keeper.confirm(hash, "admin"))).to.include({ code: "precondition" });
    expect(await startError(() => startNode("wrong", plansText(101)))).to.match(/gold \(1 key\)/);
  });
});
