import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { isIPv4 } from "node:net";
import { join } from "node:path";
import type { ClusterParts } from "../harness/cluster-parts.ts";
import { onRedis, type RedisClient } from "../harness/cluster-redis.ts";
import { send } from "../harness/http.ts";
import { notationsOf } from "../harness/notations.ts";

/** Bytes that were found, as latin1 text, and where. */
export interface Found {
  where: string;
  text: string;
}

/**
 * Everything that must not contain an address: the output and metrics of every process, every file, every key and value in Redis.
 */
export async function everythingAtRest(cluster: ClusterParts): Promise<Found[]> {
  return [
    { where: "the logs", text: cluster.output() },
    ...filesIn(cluster.dataDir),
    ...(await metrics(cluster)),
    ...(await onRedis(cluster.part("redis"), redisContents)),
  ];
}

/** Names and contents of all files below a folder. */
export function filesIn(folder: string): Found[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => ({ where: path, text: `${path}\n${readFileSync(path, "latin1")}` }));
}

async function metrics(cluster: ClusterParts): Promise<Found[]> {
  const urls = cluster.parts.flatMap((part) =>
    part.opsUrl === null || !part.isRunning() ? [] : [[part.name, part.opsUrl] as const],
  );
  return Promise.all(
    urls.map(async ([name, url]) => ({
      where: `the metrics of ${name}`,
      text: (await send(url, { path: "/metrics" })).text,
    })),
  );
}

/** Every key of a Redis, with its value. @throws Error if one has an unknown type. */
export async function redisContents(client: RedisClient): Promise<Found[]> {
  const found: Found[] = [];
  for await (const keys of client.scanIterator())
    for (const key of keys) {
      const type = await client.type(key);
      if (type === "string") found.push({ where: `Redis, ${key}`, text: `${key} ${await client.get(key)}` });
      else if (type === "hash")
        found.push({ where: `Redis, ${key}`, text: `${key} ${JSON.stringify(await client.hGetAll(key))}` });
      else throw new Error(`Redis holds ${key} of type ${type}, which this test cannot read: teach it`);
    }
  return found;
}

/** A stored hash may be truncated. This many characters don't match by chance. */
const HASH_CHARACTERS = 16;

/**
 * Every notation of an address or its /64 network, and hashes of each that could be reversed by trying all addresses.
 */
function tracesOf(address: string): string[] {
  const texts = isIPv4(address) ? notationsOf(address) : [...notationsOf(address), ...networkNotations(address)];
  const hashes = texts.flatMap((text) =>
    ["md5", "sha1", "sha256"].flatMap((algorithm) =>
      (["hex", "base64", "base64url"] as const).map((encoding) =>
        createHash(algorithm).update(text).digest(encoding).slice(0, HASH_CHARACTERS),
      ),
    ),
  );
  return [...new Set([...texts, ...hashes])];
}

/** @param address IPv6, all eight groups written out. */
function networkNotations(address: string): string[] {
  const groups = address.split(":").slice(0, 4);
  const hex = groups.map((group) => group.padStart(4, "0")).join("");
  const bytes = [...Buffer.from(hex, "hex")];
  const network = groups.join(":");
  const padding = bytes.map(() => 0);
  return [network, `${network}::`, `${network}::/64`, hex, bytes.join("."), [...bytes, ...padding].join(".")];
}

/** @returns descriptions of the places where an address was found. */
export function findTraces(address: string, found: readonly Found[]): string[] {
  const traces = tracesOf(address).map((trace) => trace.toLowerCase());
  const raw = isIPv4(address) ? Buffer.from(address.split(".").map(Number)).toString("latin1") : null;
  return found.flatMap(({ where, text }) => {
    const lower = text.toLowerCase();
    const hits = traces.filter((trace) => lower.includes(trace)).map((trace) => JSON.stringify(trace));
    // Four bytes match by chance once in thousands of megabytes, which is far more than a test's cluster stores.
    if (raw !== null && text.includes(raw)) hits.push("its four bytes");
    return hits.map((hit) => `${where} holds ${address} as ${hit}`);
  });
}
