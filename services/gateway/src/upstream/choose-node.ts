/** What is known of a node when it is chosen. */
export interface Standing {
  /** Its last question was answered, or its health check since then. */
  answering: boolean;
  /** Its connection is open. */
  connected: boolean;
}

/**
 * Chooses the node to ask: in turn among those that answer and are connected; else one that
 * answers; else, unless `answeringOnly`, any.
 * @param nodes in the order of the turns.
 * @param turn a number that grows by one with every question.
 * @returns undefined when every node that may be asked was tried.
 */
export function chooseNode<Node extends Standing>(
  nodes: readonly Node[],
  tried: ReadonlySet<Node>,
  turn: number,
  answeringOnly: boolean,
): Node | undefined {
  let best: Node | undefined;
  let bestRank = answeringOnly ? 0 : -1;
  for (let offset = 0; offset < nodes.length; offset += 1) {
    const node = nodes[(turn + offset) % nodes.length] as Node;
    if (tried.has(node)) continue;
    const rank = node.answering ? (node.connected ? 2 : 1) : 0;
    if (rank === 2) return node;
    if (rank > bestRank) {
      best = node;
      bestRank = rank;
    }
  }
  return best;
}
