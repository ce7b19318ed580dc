import { randomBytes } from "node:crypto";
import type { Month, NodeVersion, OnRaise } from "@geolookup/shared/domain/usage.ts";

/** How many changes are remembered: what ten gateways publish at most in a second, and 4 MB. */
const CAPACITY = 2 ** 18;

/** An answer has no more keys than this: it has to be made, and read, within its deadline. */
const MOST_KEYS = 16_384;

/** The keys whose counts grew, in the order in which they did: the last of them, each by whom. */
export interface Changes {
  add: OnRaise;
  /**
   * The keys whose counts of others than `instanceId` grew after what this node told before.
   * @param told by which nodes so far; another start of this one was another node.
   */
  since(
    told: readonly NodeVersion[],
    instanceId: string,
  ): { upTo: NodeVersion; isComplete: boolean; hasMore: boolean; grown: Map<Month, Set<string>> };
}

/** Whose counts of what month grew; the next ones are mostly of the same. */
interface Counted {
  month: Month;
  instanceId: string | null;
}

export function createChanges(limits = { capacity: CAPACITY, mostKeys: MOST_KEYS }): Changes {
  const { capacity, mostKeys } = limits;
  const nodeId = randomBytes(8).toString("hex");
  const keyIds: string[] = [];
  const counted: Counted[] = [];
  /** How many there were; the last of them stand in the lists above, in turn. */
  let version = 0;
  let last: Counted = { month: "", instanceId: null };

  return {
    add(keyId, month, instanceId) {
      if (last.instanceId !== instanceId || last.month !== month) last = { month, instanceId };
      keyIds[version % capacity] = keyId;
      counted[version % capacity] = last;
      version += 1;
    },
    since(told, instanceId) {
      const grown = new Map<Month, Set<string>>();
      const from = told.find((each) => each.nodeId === nodeId)?.version ?? Number.NaN;
      if (!(from >= version - capacity && from <= version))
        return { upTo: { nodeId, version }, isComplete: false, hasMore: false, grown };
      let at = from;
      for (let keys = 0; at < version && keys < mostKeys; at += 1) {
        const { month, instanceId: by } = counted[at % capacity] as Counted;
        if (by === instanceId) continue;
        const ofMonth = grown.get(month) ?? new Set();
        const before = ofMonth.size;
        grown.set(month, ofMonth.add(keyIds[at % capacity] as string));
        keys += ofMonth.size - before;
      }
      return { upTo: { nodeId, version: at }, isComplete: true, hasMore: at < version, grown };
    },
  };
}
