import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Clock } from "@geolookup/shared/runtime/clock.ts";
import type { Logger } from "@geolookup/shared/runtime/log.ts";
import { openFileKeyLog } from "@geolookup/shared/runtime/logs/file-key-log.ts";
import type { Registry } from "prom-client";
import { createAuthorizer, type MemoryAuthorizer } from "./authorizer.ts";
import { createKeyAdmin, type KeyAdmin } from "./key-admin.ts";
import { createKeyRegistry } from "./key-registry.ts";
import { createAuthMetrics } from "./metrics.ts";
import { openPlansFile } from "./plans-file.ts";
import { openSigningKeys } from "./signing-keys.ts";

const DEFAULT_PLANS_FILE = fileURLToPath(new URL("../../../infra/plans.json", import.meta.url));

export interface OpenedAuth {
  authorizer: MemoryAuthorizer;
  admin: KeyAdmin;
  close(): Promise<void>;
}

/**
 * Opens auth on its embedded stores: the key log in `<dataDir>/keys`, which this process then has
 * to itself, the signing keys and the plans. It is ready when this resolves: every key is known.
 * @param options.plansFile default: infra/plans.json of the repository.
 * @param options.signingKeysFile default: `<dataDir>/signing-keys.json`.
 * @throws StartError
 */
export async function openAuth(options: {
  dataDir: string;
  plansFile?: string | undefined;
  signingKeysFile?: string | undefined;
  log: Logger;
  registry: Registry;
  clock: Clock;
}): Promise<OpenedAuth> {
  const { dataDir, log, clock } = options;
  await using opened = new AsyncDisposableStack();
  const keyLog = opened.adopt(await openFileKeyLog({ folder: join(dataDir, "keys"), log }), (keyLog) => keyLog.close());
  const registry = createKeyRegistry();
  await keyLog.follow(registry);
  const metrics = createAuthMetrics(options.registry, registry);
  const signingKeys = opened.adopt(
    await openSigningKeys({
      path: options.signingKeysFile ?? join(dataDir, "signing-keys.json"),
      keysWereIssued: registry.size() > 0,
      randomBytes,
      log,
      metrics,
    }),
    (file) => file.close(),
  );
  const plansFile = opened.adopt(
    openPlansFile({ path: options.plansFile ?? DEFAULT_PLANS_FILE, plansInUse: registry.plansInUse, log, metrics }),
    (file) => file.close(),
  );
  const ring = signingKeys.current;
  const plans = plansFile.current;
  const authorizer = createAuthorizer({ registry, ring, plans });
  const held = opened.move();
  return {
    authorizer: {
      authorize: (check) => {
        const verdict = authorizer.authorize(check);
        metrics.verdicts.inc({ outcome: verdict.outcome });
        return verdict;
      },
    },
    admin: createKeyAdmin({ keyLog, registry, ring, plans, clock, randomBytes }),
    close: () => held.disposeAsync(),
  };
}
