import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { type Period, periodAt } from "@geolookup/shared/domain/period.ts";
import type { UsageSummary } from "@geolookup/shared/domain/usage.ts";
import type { KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import type { DatabaseCredit, DeploymentInfo } from "../deployment/deployment-info.ts";
import { orNull } from "../deployment/services.ts";
import type { Reads } from "./backend.ts";
import { type ClusterView, reuse, warningsOf } from "./cluster.ts";
import { collectResponses, type Responses } from "./gateway-responses.ts";

const TOP_KEYS = 5;
/** How long an overview is reused. */
const FRESH_MS = 2_000;

/** What the first page of the console shows. */
export interface Overview {
  current: Period;
  /** Requests with a key this month; null if usage is unavailable, or older than this portal. */
  usage: UsageSummary | null;
  top: { key: KeyView; total: number }[];
  /** Null if the processes aren't known, or no gateway responds. */
  responses: Responses | null;
  /** Null if the processes aren't known. */
  warnings: { process: string; text: string }[] | null;
  /** Whether the plans file is held; false if that isn't known. */
  hasHeldPlans: boolean;
  /** Null if geo is unavailable. */
  databases: readonly DatabaseCredit[] | null;
  nowMs: number;
}

/** Collects the overview. Unavailable parts are null. */
export function createOverview(options: {
  backend: Reads;
  deployment: () => DeploymentInfo;
  clusterView: ClusterView | null;
  clock: Clock;
}): () => Promise<Overview> {
  const { backend, deployment, clusterView, clock } = options;
  return reuse(FRESH_MS, clock, async () => {
    const current = periodAt(clock());
    const [usage, services, databases, plans] = await Promise.all([
      orNull(backend.summary(current.month, TOP_KEYS)),
      clusterView?.() ?? null,
      deployment().databases(),
      orNull(backend.plans()),
    ]);
    const [keys, responses] = await Promise.all([
      Promise.all((usage?.top ?? []).map(({ keyId }) => orNull(backend.getKey(keyId)))),
      services && collectResponses(services),
    ]);
    return {
      current,
      usage,
      top: (usage?.top ?? []).flatMap(({ total }, index) => {
        const key = keys[index];
        return key ? [{ key, total }] : [];
      }),
      responses,
      hasHeldPlans: Boolean(plans?.held),
      warnings: services && warningsOf(services),
      databases,
      nowMs: clock(),
    };
  });
}
