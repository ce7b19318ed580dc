import { MmdbError } from "../mmdb/error.ts";
import { readRecord } from "../mmdb/read-record.ts";

/** A checked search tree, from a node on. */
export interface JointTree {
  bytes: Buffer;
  /** Bits. */
  recordSize: number;
  nodeCount: number;
  /** The record to start at. */
  root: number;
}

/** Steps per node of all trees: networks that share nodes, such as 2002::/16 and IPv4, take some more than one. */
const STEPS_PER_NODE = 4;
const STEPS_OF_ANY_TREES = 4_096;

/**
 * Walks several trees at once, in the order of addresses, and visits each network on which none of them changes: the
 * largest such networks.
 * @param bits 32 or 128: the length of addresses.
 * @param skips the tree of what isn't visited: wherever it has data.
 * @param visit gets the record of each tree (nothing: at most the node count) and the prefix length. The list is reused.
 * @throws MmdbError for a tree whose nodes are shared so often that the walk would take forever.
 */
export function walkJointly(
  bits: 32 | 128,
  skips: JointTree,
  trees: readonly JointTree[],
  visit: (records: Uint32Array, prefixLength: number) => void,
): void {
  const all = [skips, ...trees];
  const nodes = all.reduce((sum, { nodeCount }) => sum + nodeCount, 0);
  const maxSteps = STEPS_OF_ANY_TREES + STEPS_PER_NODE * nodes;
  /** The records of all trees, by depth: what a node at that depth leads to. */
  const path = Array.from({ length: bits + 1 }, () => new Uint32Array(all.length));
  /** The same without the tree of what is skipped. */
  const visible = path.map((records) => records.subarray(1));
  let steps = 0;

  function descend(depth: number): void {
    const here = path[depth] as Uint32Array;
    if ((here[0] as number) > skips.nodeCount) return;
    let isSplit = false;
    for (let index = 0; index < all.length; index++)
      if ((here[index] as number) < (all[index] as JointTree).nodeCount) isSplit = true;
    if (!isSplit || depth === bits) {
      visit(visible[depth] as Uint32Array, depth);
      return;
    }
    if (++steps > maxSteps) throw new MmdbError("parts of its search tree are shared by too many networks");
    const below = path[depth + 1] as Uint32Array;
    for (let side = 0; side < 2; side++) {
      for (let index = 0; index < all.length; index++) {
        const { bytes, recordSize, nodeCount } = all[index] as JointTree;
        const record = here[index] as number;
        below[index] = record < nodeCount ? readRecord(bytes, recordSize, record, side) : record;
      }
      descend(depth + 1);
    }
  }

  (path[0] as Uint32Array).set(all.map(({ root }) => root));
  descend(0);
}
