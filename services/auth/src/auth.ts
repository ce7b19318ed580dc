import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { KeyLog, KeyPosition, UpgradeFinished } from "@geolookup/shared/domain/key-event.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { KeyUsage } from "@geolookup/shared/domain/usage.ts";
import type { AuditLog } from "@geolookup/shared/logs/audit/audit-log.ts";
import { openFileAuditLog } from "@geolookup/shared/logs/audit/file.ts";
import { DEFAULT_AUDIT_RETENTION_MS } from "@geolookup/shared/logs/audit/settings.ts";
import { type FoundKeyLogFile, openFileKeyLog } from "@geolookup/shared/logs/keys/file/key-log.ts";
import { openFileOperatorLog } from "@geolookup/shared/logs/operators/file.ts";
import type { OperatorLog } from "@geolookup/shared/logs/operators/operator-log.ts";
import type { NatsLink } from "@geolookup/shared/runtime/nats/connection.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { VERSION } from "@geolookup/shared/runtime/service/operations.ts";
import type { Registry } from "@prometheus-io/client";
import { type AuditTrail, prepareAuditTrail } from "./audit/trail.ts";
import { createAuthorizer, type MemoryAuthorizer } from "./authorizer.ts";
import { fileRecords, type IdempotencyRecords } from "./idempotency/records.ts";
import { createChanges } from "./keys/changes.ts";
import { type CustomerAdmin, createCustomerAdmin } from "./keys/customer-admin.ts";
import { createKeyAdmin, type KeyAdmin } from "./keys/key-admin.ts";
import { createKeyRegistry } from "./keys/key-registry.ts";
import { expectWholeFile } from "./keys/mark/expect-whole-file.ts";
import { keepMark, markFileIn, readMark, type StoredMark } from "./keys/mark/mark-file.ts";
import { respondToOtherNodes, shareMark } from "./keys/mark/shared-mark.ts";
import { createAuthMetrics } from "./metrics.ts";
import { type Operators, openOperators } from "./operators/operators.ts";
import { keepPlans, type PlansKeeper } from "./plans/keep-plans.ts";
import { DEFAULT_PLANS_FILE } from "./plans/plans-file.ts";
import { joinPlansLog } from "./plans/plans-log.ts";
import { createRulesName } from "./signing/rules-name.ts";
import { openSigningKeys, signingKeysFileIn } from "./signing/signing-keys.ts";

export interface OpenedAuth extends AsyncDisposable {
  authorizer: MemoryAuthorizer;
  admin: KeyAdmin;
  customers: CustomerAdmin;
  plans: PlansKeeper;
  operators: Operators;
  /** Records that every process runs this version. @throws ServiceError `invalid` for another version; `unavailable` */
  finishUpgrade(version: string, by: string): Promise<UpgradeFinished>;
  /** For the admin API. */
  records: IdempotencyRecords;
  trail: AuditTrail;
  /** The position in the key log that authorizations reflect. */
  position(): KeyPosition;
  /** How long ago, in milliseconds, this was the end of the key log. */
  positionAgeMs(): number;
  /** A name for the current plans and signing keys: it changes whenever they do. */
  rules(): string;
}

interface AuthOptions {
  /** Default: infra/plans.json of the repository. */
  plansFile?: string | undefined;
  /** Which keys have requests; null if that isn't known. */
  keyUsage: KeyUsage | null;
  log: Logger;
  registry: Registry;
  clock: Clock;
  /** See createAuthorizer. */
  keepsGrants?: boolean;
  /** Whether no other process uses this deployment, which could be of another version, so that no upgrade has to be finished. */
  isOnlyProcess?: boolean;
  /** Writes the entries of the audit trail elsewhere too, as lines of JSON. */
  printAudit?: ((line: string) => void) | null;
}

/**
 * Opens auth on embedded stores: the key log in `<dataDir>/keys` and `<dataDir>/plans`, which it locks, the signing keys and the plans. It is
 * ready when this resolves: every key is loaded.
 * @param options.signingKeysFile default: `<dataDir>/signing-keys.json`; created if no key was ever issued.
 * @throws StartError
 */
export async function openAuth(
  options: AuthOptions & {
    dataDir: string;
    signingKeysFile?: string | undefined;
    /** How long entries of the audit trail are kept. Default: 400 days. */
    auditRetentionMs?: number;
  },
): Promise<OpenedAuth> {
  const { dataDir, log, registry, clock } = options;
  const retentionMs = options.auditRetentionMs ?? DEFAULT_AUDIT_RETENTION_MS;
  return openAuthOn({
    ...options,
    signingKeysFile: options.signingKeysFile ?? signingKeysFileIn(dataDir),
    sharesSigningKeys: false,
    markFile: markFileIn(dataDir),
    openOperatorLog: () => openFileOperatorLog({ dataDir, log }),
    records: fileRecords(join(dataDir, "idempotency"), options.clock),
    openAuditLog: () => openFileAuditLog({ dataDir, retentionMs, clock, log }),
    openKeyLog: async (mark) => {
      await using opened = new AsyncDisposableStack();
      const check = (found: FoundKeyLogFile) => expectWholeFile(dataDir, mark, found);
      const keys = opened.use(await openFileKeyLog({ folder: join(dataDir, "keys"), log, registry, check }));
      const plans = opened.use(await openFileKeyLog({ folder: join(dataDir, "plans"), log, registry }));
      opened.move();
      return joinPlansLog(keys, plans);
    },
  });
}

/**
 * Opens auth on any key log. It is ready when this resolves.
 * @param options.sharesSigningKeys whether other nodes use the same file. Then it must exist.
 * @throws StartError; ServiceError when the key log is closed before it is read.
 */
export async function openAuthOn(
  options: AuthOptions & {
    signingKeysFile: string;
    sharesSigningKeys: boolean;
    /** See markFileIn. */
    markFile: string;
    /** Shares the mark with other nodes. */
    nats?: NatsLink;
    /** Opens the key log, which must have what the mark says. */
    openKeyLog: (mark: StoredMark | undefined) => Promise<KeyLog>;
    /** Opens the log of operators. Called after the key log was opened. */
    openOperatorLog: () => Promise<OperatorLog>;
    records: IdempotencyRecords;
    /** Opens the audit trail. The same. */
    openAuditLog: () => Promise<AuditLog>;
  },
): Promise<OpenedAuth> {
  const { log, clock, sharesSigningKeys, nats, keepsGrants = false, isOnlyProcess = false } = options;
  await using opened = new AsyncDisposableStack();
  const registry = createKeyRegistry();
  const metrics = createAuthMetrics(options.registry, registry);
  const stored = await readMark(options.markFile);
  const mark = opened.use(
    keepMark({ path: options.markFile, stored, current: registry.mark, share: nats && shareMark(nats), log }),
  );
  const { signingKeys: required } = mark;
  const openRing = async (whenMissing: "create" | "refuse") =>
    opened.use(
      await openSigningKeys({ path: options.signingKeysFile, whenMissing, required, randomBytes, log, metrics }),
    );

  const sharedKeys = sharesSigningKeys ? await openRing("refuse") : undefined;
  const keyLog = opened.use(await options.openKeyLog(stored));
  const operatorLog = opened.use(await options.openOperatorLog());
  const auditLog = opened.use(await options.openAuditLog());
  const trail = await prepareAuditTrail({
    ...{ auditLog, registry, keyLog, nats, clock, log, print: options.printAudit ?? null },
  });
  await keyLog.follow(trail.follower);
  const finishesUpgrades = isOnlyProcess ? VERSION : undefined;
  const changes = createChanges({ keyLog, registry, clock, finishesUpgrades });
  // A new deployment has no process of an earlier version.
  if (registry.position().sequence === 0 && !isOnlyProcess) await changes.finishUpgrade(VERSION, "auth");
  const signingKeys = sharedKeys ?? (await openRing(registry.all().length > 0 ? "refuse" : "create"));
  const keeper = opened.use(
    await keepPlans({
      path: options.plansFile ?? DEFAULT_PLANS_FILE,
      sharesFile: sharesSigningKeys,
      ...{ registry, changes, keyUsage: options.keyUsage, clock, log, metrics },
    }),
  );
  const operators = openOperators({ operatorLog, clock, randomBytes });
  const openedTrail = opened.use(trail.open({ plans: keeper, operatorLog }));
  const ring = signingKeys.current;
  const plans = keeper.current;
  const authorizer = createAuthorizer({ registry, clock, ring, plans, keepsGrants, signedBy: mark.signedBy });
  if (nats) opened.use(respondToOtherNodes(nats, mark.current));
  const held = opened.move();
  return {
    authorizer: {
      authorize: (check) => {
        const authorization = authorizer.authorize(check);
        const lacking = authorization.outcome === "unknown_key" && !authorization.end ? keyLog.lacking() : undefined;
        if (lacking !== undefined)
          throw new ServiceError("unavailable", `the key isn't known, but the key log lacks events: ${lacking}`);
        metrics.authorizations(authorization.outcome).count += 1;
        return authorization;
      },
    },
    admin: createKeyAdmin({ keyLog, registry, changes, ring, plans, clock, randomBytes, signedBy: mark.signedBy }),
    customers: createCustomerAdmin({ registry, changes, plans, clock }),
    plans: keeper,
    operators,
    finishUpgrade: async (version, by) => {
      if (version !== VERSION)
        throw new ServiceError(
          "invalid",
          `auth runs version ${VERSION}, so the upgrade to ${version.slice(0, 20)} isn't finished`,
        );
      return changes.finishUpgrade(version, by);
    },
    records: options.records,
    trail: openedTrail,
    position: registry.position,
    positionAgeMs: () => keyLog.positionAgeMs(),
    rules: createRulesName(ring, plans),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
