import { cpus } from "node:os";
import type { DatabaseMemory } from "./database-process.ts";

/** The memory of a service after keys were issued, and after each was used. */
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

/** The memory per key: once it is issued, and once it was used in this month. */
export function bytesAKey({ fewKeys, manyKeys, few, many }: KeyMemory, service: string) {
  const [less, more] = [few.get(service), many.get(service)];
  if (!less || !more) return { issued: Number.NaN, used: Number.NaN };
  const keys = manyKeys - fewKeys;
  const issued = (more.idleBytes - less.idleBytes) / keys;
  // The same load on few keys accounts for all memory that doesn't depend on keys.
  const used = (more.usedBytes - more.idleBytes - (less.usedBytes - less.idleBytes)) / keys;
  return { issued, used };
}

/** The results as Markdown. */
export function memoryMarkdown({ keys, connections, databases }: MemoryResult): string {
  const keyRows = keys.flatMap((each) =>
    [...each.many].map(([service, { usedBytes }]) => {
      const { issued, used } = bytesAKey(each, service);
      return [each.deployment, service, bytes(issued), bytes(used), megabytes(usedBytes)];
    }),
  );
  const [{ manyKeys = 0 } = {}] = keys;
  return [
    `Memory on the heap and in buffers after garbage collection; ${cpus()[0]?.model}, Node ${process.version}.`,
    table(["", "process", "bytes a key issued", "bytes a key used", `MB with ${count(manyKeys)} keys used`], keyRows),
    `Each of ${count(connections.count)} keep-alive connections: ${bytes(connections.bytes)} bytes, without the kernel's memory.`,
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
