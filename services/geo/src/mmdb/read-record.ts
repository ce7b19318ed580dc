/** The shape of a search tree, as a file's metadata state it. */
export interface TreeShape {
  nodeCount: number;
  /** Bits. */
  recordSize: number;
  ipVersion: number;
}

/** The record where IPv4 addresses begin in an IPv6 tree: at ::/96. */
export function ipv4RootOf(bytes: Buffer, { recordSize, nodeCount }: TreeShape): number {
  let record = 0;
  for (let depth = 0; depth < 96 && record < nodeCount; depth++) record = readRecord(bytes, recordSize, record, 0);
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
