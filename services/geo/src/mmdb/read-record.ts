/** The shape of a search tree, as a file's metadata state it. */
export interface TreeShape {
  nodeCount: number;
  /** Bits. */
  recordSize: number;
  ipVersion: number;
}

/** The record where IPv4 addresses begin in an IPv6 tree: at ::/96, or at ::ffff:0:0/96 if only that has data. */
export function ipv4RootOf(bytes: Buffer, tree: TreeShape): number {
  const root = recordAt96(bytes, tree, 0);
  return root === tree.nodeCount ? recordAt96(bytes, tree, 1) : root;
}

/** @param mapped the bits 80 to 95; all before them are 0. */
function recordAt96(bytes: Buffer, { recordSize, nodeCount }: TreeShape, mapped: 0 | 1): number {
  let record = 0;
  for (let depth = 0; depth < 96 && record < nodeCount; depth++)
    record = readRecord(bytes, recordSize, record, depth < 80 ? 0 : mapped);
  return record;
}

/** One of the two records of a node; 28-bit ones share their middle byte. */
export function readRecord(bytes: Buffer, recordSize: number, node: number, side: number): number {
  if (recordSize === 24) {
    const at = node * 6 + side * 3;
    return ((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number);
  }
  if (recordSize === 28) {
    const at = node * 7;
    const high = side === 0 ? (bytes[at + 3] as number) >>> 4 : (bytes[at + 3] as number) & 15;
    const low = at + side * 4;
    return (
      (high << 24) | ((bytes[low] as number) << 16) | ((bytes[low + 1] as number) << 8) | (bytes[low + 2] as number)
    );
  }
  const at = node * 8 + side * 4;
  const low = ((bytes[at + 1] as number) << 16) | ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number);
  return (bytes[at] as number) * 2 ** 24 + low;
}
