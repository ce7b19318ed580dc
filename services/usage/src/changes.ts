import { randomBytes } from "node:crypto";
import type { Month, NodeVersion, OnRaise } from "@geolookup/shared/domain/usage.ts";

/** The number of changes to keep: the most that ten gateways publish in a second. They take 4 MB. */
export const MAX_CHANGES = 2 ** 18;

/** The maximum number of quotas in a response, which must be built and read within its deadline. */
const MAX_QUOTAS = 16_384;

/** The latest changes of quotas' counts, in order, each with the instance that made it. */
export interface Changes {
  add: OnRaise;
  /**
   * The quotas whose counts at instances other than `instanceId` grew since this node's last report.
   * @param reported what each node has reported. After a restart, this node has a new ID.
   */
  since(
    reported: readonly NodeVersion[],
    instanceId: string,
  ): { upTo: NodeVersion; isComplete: boolean; hasMore: boolean; grown: Map<Month, Set<string>> };
}

/** The month and instance of a change. Consecutive changes usually share one. */
interface Source {
  month: Month;
  instanceId: string | null;
}

export function createChanges(limits = { capacity: MAX_CHANGES, maxQuotas: MAX_QUOTAS }): Changes {
  const { capacity, maxQuotas } = limits;
  const nodeId = randomBytes(8).toString("hex");
  const quotaIds: string[] = [];
  const sources: Source[] = [];
  /** The number of changes so far. The arrays above are ring buffers with the latest ones. */
  let version = 0;
  let last: Source = { month: "", instanceId: null };

  return {
    add(quotaId, month, instanceId) {
      if (last.instanceId !== instanceId || last.month !== month) last = { month, instanceId };
      quotaIds[version % capacity] = quotaId;
      sources[version % capacity] = last;
      version += 1;
    },
    since(reported, instanceId) {
      const grown = new Map<Month, Set<string>>();
      const from = reported.find((each) => each.nodeId === nodeId)?.version ?? Number.NaN;
      if (!(from >= version - capacity && from <= version))
        return { upTo: { nodeId, version }, isComplete: false, hasMore: false, grown };
      let at = from;
      for (let quotas = 0; at < version && quotas < maxQuotas; at += 1) {
        const { month, instanceId: by } = sources[at % capacity] as Source;
        if (by === instanceId) continue;
        const ofMonth = grown.get(month) ?? new Set();
        const before = ofMonth.size;
        grown.set(month, ofMonth.add(quotaIds[at % capacity] as string));
        quotas += ofMonth.size - before;
      }
      return { upTo: { nodeId, version: at }, isComplete: true, hasMore: at < version, grown };
    },
  };
}
