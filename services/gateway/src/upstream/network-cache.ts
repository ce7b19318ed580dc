import { type Address, parseIpv4, parseIpv6 } from "@geolookup/shared/domain/ip-words.ts";
import type { Located } from "@geolookup/shared/domain/locate.ts";
import { NETWORK_PREFIXES } from "@geolookup/shared/domain/locate.ts";
import { maxEntries } from "@geolookup/shared/domain/max-entries.ts";
import { LRUCache } from "lru-cache";

/** How often a lookup goes to a node although its record is cached, to detect other data. */
const REVALIDATION_INTERVAL_MS = 20;
/** How long after the last response of any node records are used. */
const MAX_STALE_MS = 200;
/** Calls go to the nodes in turn. A node that has missed this many turns is considered gone. */
const MAX_MISSED_TURNS = 20;

/** Of all entries, by an estimate. */
const MAX_BYTES = 140_000_000;
/** Of an entry for a network, as measured. */
const NETWORK_BYTES = 80;
/** Of a record besides its text, as measured. */
const RECORD_BYTES = 300;
/** V8 stores such a text with two bytes per character. */
const BEYOND_LATIN1 = /[^\0-\xff]/;

/** The node that sent a response, and its data: `node_id` and `data_revision` of proto/geo/v1. */
export interface Source {
  nodeId: number;
  dataRevision: number;
}

/** Records by network. They are valid while the nodes and their data stay the same. */
export interface NetworkCache {
  /** @returns the cached record of a canonical address; undefined if a node must look it up. */
  get(ip: string): Located | undefined;
  /** Call for each response, before its records are added. Clears the cache if a node has other data, joined or left. */
  onResponse(source: Source): void;
  /** Call when a call to geo failed. The cache isn't used until a node responds. */
  onFailure(): void;
  /**
   * Adds an address's record.
   * @param prefixLength of a network in which all addresses have the record. Lengths other than NETWORK_PREFIXES are ignored.
   */
  add(ip: string, prefixLength: number, located: Located): void;
}

/**
 * Caches records by network, so that a busy gateway doesn't call geo for each request (docs/decisions/network-cache.md).
 * @param options for tests.
 * @param options.now monotonic, in milliseconds.
 */
export function createNetworkCache({ now = () => performance.now(), maxBytes = MAX_BYTES } = {}): NetworkCache {
  /** The records by text, each with the number of networks that share it. */
  const shared = new Map<string, { located: Located; networks: number }>();
  let bytes = 0;
  const networks = new LRUCache<number, Located>({
    ...maxEntries(maxBytes / NETWORK_BYTES),
    dispose: (located) => {
      const text = textOf(located);
      const record = shared.get(text);
      bytes -= NETWORK_BYTES;
      if (!record || --record.networks > 0) return;
      shared.delete(text);
      bytes -= bytesOf(text);
    },
  });
  const store = (network: number, located: Located) => {
    const text = textOf(located);
    const record = shared.get(text) ?? { located, networks: 0 };
    if (record.networks === 0) {
      shared.set(text, record);
      bytes += bytesOf(text);
    }
    record.networks += 1;
    bytes += NETWORK_BYTES;
    networks.set(network, record.located);
    while (bytes > maxBytes) networks.pop();
  };
  /** By ID. */
  const nodes = new Map<number, { dataRevision: number; turn: number }>();
  let turn = 0;
  let isFresh = false;
  let revalidateAtMs = 0;
  let respondedAtMs = Number.NEGATIVE_INFINITY;
  let responseTimer: NodeJS.Timeout | null = null;

  const startRevalidation = (nowMs: number) => {
    revalidateAtMs = nowMs + REVALIDATION_INTERVAL_MS;
    if (responseTimer !== null) return;
    const leftMs = respondedAtMs + MAX_STALE_MS - nowMs;
    if (leftMs <= 0) {
      isFresh = false;
      return;
    }
    const timer = setTimeout(() => {
      // After reading sockets, so that responses that arrived while this process was busy count.
      setImmediate(() => {
        if (responseTimer !== timer) return;
        responseTimer = null;
        isFresh = false;
      });
    }, leftMs);
    timer.unref();
    responseTimer = timer;
  };

  return {
    get: (ip) => {
      const nowMs = now();
      if (nowMs >= revalidateAtMs) {
        startRevalidation(nowMs);
        return undefined;
      }
      if (!isFresh) return undefined;
      const address = addressOf(ip);
      for (const prefixLength of prefixesOf(address)) {
        const located = networks.get(networkOf(address, prefixLength));
        if (located !== undefined) return located;
      }
      return undefined;
    },
    onResponse: ({ nodeId, dataRevision }) => {
      if (responseTimer !== null) clearTimeout(responseTimer);
      responseTimer = null;
      respondedAtMs = now();
      isFresh = true;
      turn += 1;
      let hasChanged = nodes.get(nodeId)?.dataRevision !== dataRevision;
      nodes.set(nodeId, { dataRevision, turn });
      const maxTurns = MAX_MISSED_TURNS * nodes.size;
      for (const [id, node] of nodes)
        if (turn - node.turn > maxTurns) {
          nodes.delete(id);
          hasChanged = true;
        }
      if (hasChanged) networks.clear();
    },
    onFailure: () => {
      isFresh = false;
    },
    add: (ip, prefixLength, located) => {
      const address = addressOf(ip);
      if (!prefixesOf(address).includes(prefixLength)) return;
      const network = networkOf(address, prefixLength);
      if (networks.get(network) === undefined) store(network, located);
    },
  };
}

/** The text that records are shared by. All without a location have the same text, so the reason takes its place. */
function textOf({ reason, record }: Located): string {
  if (reason !== "found") return reason;
  return record.accuracy === "" ? record.members : record.members + record.accuracy;
}

/** What a record takes, without its networks. */
function bytesOf(text: string): number {
  return RECORD_BYTES + (BEYOND_LATIN1.test(text) ? 2 : 1) * text.length;
}

/** Text that isn't an address is in network 0, which isn't public. */
function addressOf(ip: string): Address {
  return ip.includes(":") ? (parseIpv6(ip) ?? [0, 0, 0, 0]) : (parseIpv4(ip) ?? 0);
}

function prefixesOf(address: Address): readonly number[] {
  return typeof address === "number" ? NETWORK_PREFIXES.ipv4 : NETWORK_PREFIXES.ipv6;
}

/** A number for an address's network, from 2 to the power of its prefix length. */
function networkOf(address: Address, prefixLength: number): number {
  if (typeof address === "number") return 2 ** prefixLength + (address >>> (32 - prefixLength));
  const [first, second] = address;
  return 2 ** prefixLength + first * 2 ** (prefixLength - 32) + (second >>> (64 - prefixLength));
}
