import { createDataSection } from "./data-section.ts";
import { createSearchTree, parseNetwork } from "./search-tree.ts";
import { type MmdbValue, uint16, uint32, uint64 } from "./value.ts";

/** Marks the start of the metadata (MaxMind DB format, "Database Metadata"). */
const METADATA_MARKER = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1");
/** MaxMind DB format, "Data Section Separator". */
const SEPARATOR = Buffer.alloc(16);

export interface MmdbContent {
  databaseType: string;
  ipVersion: 4 | 6;
  /** The size of a search tree record, in bits. */
  recordSize: 24 | 28 | 32;
  /**
   * Networks in CIDR notation, in any order: the more specific one wins, and the last of
   * duplicates. IPv4 networks in an IPv6 tree are at ::/96.
   */
  entries: Iterable<readonly [network: string, value: MmdbValue]>;
  /** By language, e.g. `{ en: "…" }`. */
  description?: Readonly<Record<string, string>>;
  languages?: readonly string[];
  /** When the data was built; 1970 when absent, so that the same content gives the same bytes. */
  buildUnixSeconds?: number;
}

/**
 * The bytes of a MaxMind DB file, format 2.0 (https://maxmind.github.io/MaxMind-DB/).
 * @throws RangeError for a bad network or a value or tree that doesn't fit; TypeError for a value without an MMDB type.
 */
export function buildMmdb(content: MmdbContent): Buffer {
  const { ipVersion, recordSize } = content;
  const data = createDataSection({ share: true });
  const networks = collectNetworks(ipVersion === 4 ? 1 : 4);
  for (const [network, value] of content.entries) {
    const { words, prefixLength } = parseNetwork(network, ipVersion);
    networks.add(words, prefixLength, data.write(value));
  }
  const tree = createSearchTree();
  networks.forEachByPrefixLength(tree.insert);
  const metadata = createDataSection({ share: false });
  metadata.write({
    binary_format_major_version: uint16(2),
    binary_format_minor_version: uint16(0),
    build_epoch: uint64(content.buildUnixSeconds ?? 0),
    database_type: content.databaseType,
    description: content.description ?? {},
    ip_version: uint16(ipVersion),
    languages: content.languages ?? [],
    node_count: uint32(tree.nodeCount()),
    record_size: uint16(recordSize),
  });
  const dataBytes = data.bytes();
  return Buffer.concat([
    tree.encode(recordSize, dataBytes.length),
    SEPARATOR,
    dataBytes,
    METADATA_MARKER,
    metadata.bytes(),
  ]);
}

/** Networks in typed arrays: hundreds of thousands of them take a few bytes each. */
function collectNetworks(wordsPerNetwork: number) {
  let capacity = 1024;
  let count = 0;
  let words = new Uint32Array(capacity * wordsPerNetwork);
  let prefixLengths = new Uint8Array(capacity);
  let dataOffsets = new Uint32Array(capacity);

  function grow(): void {
    capacity *= 2;
    const larger = {
      words: new Uint32Array(capacity * wordsPerNetwork),
      prefixLengths: new Uint8Array(capacity),
      dataOffsets: new Uint32Array(capacity),
    };
    larger.words.set(words);
    larger.prefixLengths.set(prefixLengths);
    larger.dataOffsets.set(dataOffsets);
    ({ words, prefixLengths, dataOffsets } = larger);
  }

  return {
    add(networkWords: readonly number[], prefixLength: number, dataOffset: number): void {
      if (count === capacity) grow();
      words.set(networkWords, count * wordsPerNetwork);
      prefixLengths[count] = prefixLength;
      dataOffsets[count] = dataOffset;
      count++;
    },

    /** Visits short prefixes first, networks of one length in the order they came. */
    forEachByPrefixLength(
      visit: (words: Uint32Array, wordsOffset: number, prefixLength: number, dataOffset: number) => void,
    ): void {
      const firstOfLength = new Uint32Array(130);
      for (let index = 0; index < count; index++) {
        const next = (prefixLengths[index] as number) + 1;
        firstOfLength[next] = (firstOfLength[next] as number) + 1;
      }
      for (let length = 1; length < 130; length++)
        firstOfLength[length] = (firstOfLength[length] as number) + (firstOfLength[length - 1] as number);
      const order = new Uint32Array(count);
      for (let index = 0; index < count; index++) {
        const length = prefixLengths[index] as number;
        const position = firstOfLength[length] as number;
        order[position] = index;
        firstOfLength[length] = position + 1;
      }
      for (const index of order)
        visit(words, index * wordsPerNetwork, prefixLengths[index] as number, dataOffsets[index] as number);
    },
  };
}
