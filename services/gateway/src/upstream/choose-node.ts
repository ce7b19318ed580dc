/** The state of a node. */
export interface NodeState {
  /** Whether it responded to its last call, or to a health check since then. */
  isResponding: boolean;
  isConnected: boolean;
  /** Whether others know more, as its last response showed. */
  isBehind: boolean;
}

/**
 * Chooses the node to call: round-robin among those that respond and are connected; otherwise one that responds; otherwise,
 * unless `respondingOnly`, any. Of those that respond, one that is behind is the last choice.
 * @param turn increases by one with every call.
 * @returns undefined if every eligible node was tried.
 */
export function chooseNode<Node extends NodeState>(
  nodes: readonly Node[],
  tried: ReadonlySet<Node>,
  turn: number,
  respondingOnly: boolean,
): Node | undefined {
  let best: Node | undefined;
  let bestRank = respondingOnly ? 0 : -1;
  for (let offset = 0; offset < nodes.length; offset += 1) {
    const node = nodes[(turn + offset) % nodes.length] as Node;
    if (tried.has(node)) continue;
    const rank = node.isResponding ? (node.isBehind ? 1 : 3) + Number(node.isConnected) : 0;
    if (rank === 4) return node;
    if (rank > bestRank) {
      best = node;
      bestRank = rank;
    }
  }
  return best;
}
