import type { UsageLog } from "@geolookup/shared/domain/usage.ts";
import { Registry } from "@prometheus-io/client";
import { type Meter, type MeteredKey, type MeterOptions, openMeter } from "../meter.ts";
import { createUsageFolders, quiet, recorded } from "./usage-folders.ts";

/** Flushes only on close. */
const NEVER_MS = 1_000_000;

/** Gives each test of the enclosing suite its own meter on a file log, with a clock that the test sets. */
export function meterFixture() {
  let folders: ReturnType<typeof createUsageFolders>;
  let usageLog: UsageLog;
  let meter: Meter;
  let registry: Registry;
  /** Kept for all requests of a test, as a gateway in a cluster keeps them. */
  const keys = new Map<string, MeteredKey>();
  const keyWith = (keyId: string, monthlyRequests: number): MeteredKey => {
    const key = keys.get(keyId) ?? { keyId, monthlyRequests };
    key.monthlyRequests = monthlyRequests;
    keys.set(keyId, key);
    return key;
  };
  const fixture = {
    now: 0,
    get folders() {
      return folders;
    },
    get usageLog() {
      return usageLog;
    },
    get meter() {
      return meter;
    },
    /** Reopens the closed meter. */
    async open(options: Partial<MeterOptions> = {}) {
      registry = new Registry();
      meter = await openMeter({
        folder: folders.journals,
        usageLog,
        clock: () => fixture.now,
        log: quiet,
        registry,
        flushIntervalMs: NEVER_MS,
        ...options,
      });
    },
    /** Admits a request that is within the quota. */
    async admit(quota = 1_000_000, keyId = "key1") {
      const admission = await meter.admit(keyWith(keyId, quota));
      if (!admission.admitted) throw new Error("refused");
      return admission;
    },
    async isAdmitted(quota: number) {
      return (await meter.admit(keyWith("key1", quota))).admitted;
    },
    async count(requests: number) {
      const admissions = await Promise.all(Array.from({ length: requests }, () => fixture.admit()));
      await Promise.all(admissions.map((admission) => admission.count()));
    },
    /** key1's month as the log has it. */
    month: (month: string) => recorded(usageLog, "key1", month),
    /** All counts that the log has, by account. */
    async counts() {
      const found = new Map<string, number>();
      await using _following = await usageLog.follow(({ counts }) => {
        for (const [account, count] of counts) found.set(account, (found.get(account) ?? 0) + count);
      });
      return found;
    },
    async total(month = "2026-05") {
      return (await fixture.month(month)).total;
    },
    metric: async (name: string) => (await registry.getSingleMetric(name)?.get())?.values,
  };
  beforeEach(async () => {
    keys.clear();
    fixture.now = Date.parse("2026-05-02T12:00:00Z");
    folders = createUsageFolders();
    usageLog = await folders.openLog();
    await fixture.open();
  });
  afterEach(async () => {
    await meter[Symbol.asyncDispose]();
    await usageLog[Symbol.asyncDispose]();
    folders.remove();
  });
  return fixture;
}
