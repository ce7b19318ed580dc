import { cpus } from "node:os";
import type { DatabaseMemory } from "./database-process.ts";

/** What a service holds when keys have been issued, and when each of them has been used. */
export type HeldByService = ReadonlyMap<string, { idleBytes: number; usedBytes: number }>;

/** The same with few keys and with many. */
export interface KeyMemory {
  deployment: string;
  fewKeys: number;
  manyKeys: number;
  few: HeldByService;
  many: HeldByService;
}

export interface MemoryResult {
  keys: readonly KeyMemory[];
  connections: { count: number; bytes: number };
  databases: readonly (DatabaseMemory & { name: string; fileBytes: number })[];
}

/** What each key costs a service: once it is issued, and once it has been used in this month. */
export function bytesAKey({ fewKeys, manyKeys, few, many }: KeyMemory, service: string) {
  const [less, more] = [few.get(service), many.get(service)];
  if (!less || !more) return { issued: Number.NaN, used: Number.NaN };
  const keys = manyKeys - fewKeys;
  const issued = (more.idleBytes - less.idleBytes) / keys;
  // The same load on few keys fills everything that keys have no part in.
  const used = (more.usedBytes - more.idleBytes - (less.usedBytes - less.idleBytes)) / keys;
  return { issued, used };
}

/** What was measured, for people. */
export function memoryMarkdown({ keys, connections, databases }: MemoryResult): string {
  const keyRows = keys.flatMap((each) =>
    [...each.many].map(([service, { usedBytes }]) => {
      const { issued, used } = bytesAKey(each, service);
      return [each.deployment, service, bytes(issued), bytes(used), megabytes(usedBytes)];
    }),
  );
  const [{ manyKeys = 0 } = {}] = keys;
  return [
    `Held on the heap and in buffers once all garbage is collected; ${cpus()[0]?.model}, Node ${process.version}.`,
    table(["", "process", "bytes a key issued", "bytes a key used", `MB with ${count(manyKeys)} keys used`], keyRows),
    `Each of ${count(connections.count)} connections that is kept alive: ${bytes(connections.bytes)} bytes, besides what the kernel has for it.`,
    table(
      ["database", "MB on disk", "MB once open", `MB once used`],
      databases.map(({ name, fileBytes, openBytes, usedBytes }) => [
        name,
        ...[fileBytes, openBytes, usedBytes].map(megabytes),
      ]),
    ),
    "",
  ].join("\n\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function bytes(value: number): string {
  return count(Math.max(0, Math.round(value)));
}

function megabytes(value: number): string {
  return (value / 1_000_000).toFixed(1);
}

function count(value: number): string {
  return value.toLocaleString("en");
}
