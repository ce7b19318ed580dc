/** The state of a node. */
export interface NodeState {
  /** Whether it responded to its last call, or to a health check since then. */
  isResponding: boolean;
  isConnected: boolean;
}

/**
 * Chooses the node to call: round-robin among those that respond and are connected; otherwise one that responds; otherwise,
 * unless `respondingOnly`, any.
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
    const rank = node.isResponding ? (node.isConnected ? 2 : 1) : 0;
    if (rank === 2) return node;
    if (rank > bestRank) {
      best = node;
      bestRank = rank;
    }
  }
  return best;
}
