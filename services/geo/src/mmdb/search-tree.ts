import { parseIpv4, parseIpv6 } from "@geolookup/shared/domain/ip-words.ts";

/** A network as the bits of a search tree: four words for a tree of 128 bits, one for 32. */
export interface Network {
  words: readonly number[];
  prefixLength: number;
}

/**
 * Reads a CIDR network for a tree of that IP version; IPv4 in an IPv6 tree is at ::/96.
 * @throws RangeError if the text isn't a network, has host bits set, or is IPv6 for an IPv4 tree.
 */
export function parseNetwork(text: string, ipVersion: 4 | 6): Network {
  const slash = text.indexOf("/");
  const address = slash < 0 ? text : text.slice(0, slash);
  const prefixText = text.slice(slash + 1);
  const isIpv6 = address.includes(":");
  const ipv4 = isIpv6 ? null : parseIpv4(address);
  const own = isIpv6 ? parseIpv6(address) : ipv4 === null ? null : [ipv4];
  if (slash < 0 || !own || !/^\d{1,3}$/.test(prefixText) || Number(prefixText) > own.length * 32)
    throw new RangeError(`not a network in CIDR notation: ${text}`);
  if (hasHostBits(own, Number(prefixText))) throw new RangeError(`bits are set after the prefix length: ${text}`);
  if (ipVersion === 4) {
    if (isIpv6) throw new RangeError(`an IPv6 network does not fit an IPv4 tree: ${text}`);
    return { words: own, prefixLength: Number(prefixText) };
  }
  return isIpv6
    ? { words: own, prefixLength: Number(prefixText) }
    : { words: [0, 0, 0, ...own], prefixLength: Number(prefixText) + 96 };
}

/** Whether an address, as words, has bits after a prefix length. */
export function hasHostBits(words: readonly number[], prefixLength: number): boolean {
  return words.some((word, index) => {
    const kept = prefixLength - index * 32;
    if (kept >= 32) return false;
    return kept <= 0 ? word !== 0 : (word & (0xffff_ffff >>> kept)) !== 0;
  });
}

/**
 * A binary search tree over address bits, in typed arrays. A record is 0 (nothing known), the index
 * of a node (positive; the root, 0, has no parent) or -1 - a data offset.
 */
export function createSearchTree() {
  let records = new Int32Array(2 * 1024);
  let nodeCount = 1;

  function addNode(record: number): number {
    if (nodeCount * 2 === records.length) {
      const larger = new Int32Array(records.length * 2);
      larger.set(records);
      records = larger;
    }
    const node = nodeCount++;
    records[node * 2] = record;
    records[node * 2 + 1] = record;
    return node;
  }

  return {
    /** Puts data on a network. Networks must come in ascending order of their prefix length; the last of duplicates wins. */
    insert(words: ArrayLike<number>, wordsOffset: number, prefixLength: number, dataOffset: number): void {
      const leaf = -1 - dataOffset;
      if (prefixLength === 0) {
        records.fill(leaf, 0, 2);
        return;
      }
      let node = 0;
      for (let depth = 0; ; depth++) {
        const bit = ((words[wordsOffset + (depth >>> 5)] as number) >>> (31 - (depth & 31))) & 1;
        const at = node * 2 + bit;
        if (depth === prefixLength - 1) {
          records[at] = leaf;
          return;
        }
        const record = records[at] as number;
        if (record > 0) node = record;
        else {
          node = addNode(record);
          records[at] = node;
        }
      }
    },

    /**
     * The tree's bytes in a file.
     * @throws RangeError when a record does not fit the record size (bits).
     */
    encode(recordSize: 24 | 28 | 32, dataSectionBytes: number): Buffer {
      if (nodeCount + 16 + dataSectionBytes > 2 ** recordSize)
        throw new RangeError(
          `${nodeCount} nodes and ${dataSectionBytes} bytes of data need a larger record size than ${recordSize} bits`,
        );
      const nodeBytes = recordSize / 4;
      const out = Buffer.alloc(nodeCount * nodeBytes);
      for (let node = 0; node < nodeCount; node++) {
        const left = fileRecord(records[node * 2] as number, nodeCount);
        const right = fileRecord(records[node * 2 + 1] as number, nodeCount);
        const at = node * nodeBytes;
        if (recordSize === 32) {
          out.writeUInt32BE(left, at);
          out.writeUInt32BE(right, at + 4);
        } else {
          out.writeUIntBE(left & 0xff_ffff, at, 3);
          out.writeUIntBE(right & 0xff_ffff, at + nodeBytes - 3, 3);
          if (recordSize === 28) out[at + 3] = ((left >>> 20) & 0xf0) | (right >>> 24);
        }
      }
      return out;
    },

    nodeCount: () => nodeCount,
  };
}

/** MaxMind DB format, "Binary Search Tree Section": below the node count a node, equal nothing, above data. */
function fileRecord(record: number, nodeCount: number): number {
  if (record > 0) return record;
  return record === 0 ? nodeCount : nodeCount + 16 + (-1 - record);
}
