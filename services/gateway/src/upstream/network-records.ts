import { parseIpv4, parseIpv6 } from "@geolookup/shared/domain/ip-words.ts";
import type { Located } from "@geolookup/shared/domain/locate.ts";

/** How often a lookup goes to a node anyway, so that other data is noticed. */
const ASK_EVERY_MS = 5;
/** How long what nodes returned before is used while no node responds. */
const USED_FOR_MS = 200;
/** Nodes are called in turn: one that hasn't responded for so many responses is gone. */
const MAX_TURNS = 200;

/** Of one generation, by an estimate; there are two. */
const GENERATION_BYTES = 50_000_000;
/** Of an entry for a network, as measured. */
const NETWORK_BYTES = 40;
/** Of a record besides its text, as measured. */
const RECORD_BYTES = 170;

/** Which node responded, with which data: `node_id` and `data_change` of proto/geo/v1. */
export interface Source {
  nodeId: number;
  dataChange: number;
}

/** The records of networks, as geo nodes returned them. */
export interface NetworkRecords {
  /** The record that a node would return for a canonical address. Undefined: ask one. */
  find(ip: string): Located | undefined;
  /** Call for each response, before what is in it is added. If a node has other data, or another node has joined, forgets everything. */
  responded(source: Source): void;
  /** Adds the record of an address, which all addresses with the same first bits have. Only prefix lengths 24, 27 and 48 are found. */
  add(ip: string, prefixLength: number, located: Located): void;
}

interface Generation {
  networks: Map<number, Located>;
  /** By text, or by the reason why there is none: many networks have the same record. */
  records: Map<string, Located>;
  bytes: number;
}

/**
 * Keeps records by network, so that a busy gateway doesn't need geo for each request (docs/decisions/records-by-network.md).
 * Nothing is kept by address: a network is an IPv4 address's /24 or /27, or an IPv6 address's /48.
 * @param options for tests.
 * @param options.now monotonic, in milliseconds.
 */
export function createNetworkRecords({
  now = () => performance.now(),
  generationBytes = GENERATION_BYTES,
} = {}): NetworkRecords {
  let young = emptyGeneration();
  let old = emptyGeneration();
  /** By ID. */
  const nodes = new Map<number, { dataChange: number; turn: number }>();
  let turn = 0;
  let isUsed = false;
  let askAtMs = 0;
  let waiting: NodeJS.Timeout | null = null;

  const keep = (network: number, located: Located): void => {
    if (young.bytes > generationBytes) {
      old = young;
      young = emptyGeneration();
    }
    const { reason } = located;
    const text = reason === "found" ? located.record.members : reason;
    let record = young.records.get(text);
    if (record === undefined) {
      record = located;
      young.records.set(text, record);
      young.bytes += RECORD_BYTES + text.length;
    }
    young.networks.set(network, record);
    young.bytes += NETWORK_BYTES;
  };

  const recordOf = (network: number): Located | undefined => {
    const recent = young.networks.get(network);
    if (recent !== undefined) return recent;
    const located = old.networks.get(network);
    if (located !== undefined) keep(network, located);
    return located;
  };
  const startAsking = (nowMs: number) => {
    // After a while without lookups.
    if (nowMs - askAtMs > USED_FOR_MS) isUsed = false;
    askAtMs = nowMs + ASK_EVERY_MS;
    if (waiting !== null) return;
    const asked = setTimeout(() => {
      // After reading sockets, so that responses that arrived while this process was busy count.
      setImmediate(() => {
        if (waiting !== asked) return;
        waiting = null;
        isUsed = false;
      });
    }, USED_FOR_MS);
    asked.unref();
    waiting = asked;
  };

  return {
    find: (ip) => {
      const nowMs = now();
      if (nowMs >= askAtMs) {
        startAsking(nowMs);
        return undefined;
      }
      if (!isUsed) return undefined;
      if (ip.includes(":")) return recordOf(ipv6Network(ip));
      const word = parseIpv4(ip) ?? 0;
      return recordOf(ipv4Network(word, 24)) ?? recordOf(ipv4Network(word, 27));
    },
    responded: ({ nodeId, dataChange }) => {
      if (waiting !== null) clearTimeout(waiting);
      waiting = null;
      isUsed = true;
      turn += 1;
      let hasChanged = nodes.get(nodeId)?.dataChange !== dataChange;
      nodes.set(nodeId, { dataChange, turn });
      for (const [id, node] of nodes)
        if (turn - node.turn > MAX_TURNS) {
          nodes.delete(id);
          hasChanged = true;
        }
      if (!hasChanged) return;
      young = emptyGeneration();
      old = emptyGeneration();
    },
    add: (ip, prefixLength, located) =>
      keep(ip.includes(":") ? ipv6Network(ip) : ipv4Network(parseIpv4(ip) ?? 0, prefixLength), located),
  };
}

function emptyGeneration(): Generation {
  return { networks: new Map(), records: new Map(), bytes: 0 };
}

/** A number for a network of an IPv4 address: below 2^24 for a /24, from 2^27 to 2^28 for a /27. */
function ipv4Network(word: number, prefixLength: number): number {
  return prefixLength === 24 ? word >>> 8 : 2 ** prefixLength + (word >>> (32 - prefixLength));
}

/** The same for an IPv6 address's /48, from 2^48. Text that isn't an address has a network without records. */
function ipv6Network(ip: string): number {
  const [first, second] = parseIpv6(ip) ?? [0, 0, 0, 0];
  return 2 ** 48 + first * 65_536 + (second >>> 16);
}
