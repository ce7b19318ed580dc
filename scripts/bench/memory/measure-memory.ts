import { fork } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Site } from "../contestants/contestant.ts";
import { openConnection } from "../load/connection.ts";
import { createRequests } from "../load/requests.ts";
import type { Generator } from "../load/start-generator.ts";
import { notMeasured, waitUntilServing } from "../measure.ts";
import type { DatabaseMemory } from "./database-process.ts";
import { heldMemory } from "./held-memory.ts";
import type { HeldByService, MemoryResult } from "./memory-report.ts";

const CONNECTIONS = 2_000;
const LOAD_CONNECTIONS = 64;
const LOAD_MS = 1_000;
/** The last requests' counts reach usage a few seconds later, so memory is read until it is stable. */
const SETTLE_MS = 3_000;
const SETTLED_RATIO = 1.005;
const MAX_READINGS = 10;

/** @returns the memory of each service of a site, before and after this many requests with its keys in turn. */
export async function measureKeys(
  site: Site,
  { reports, generator, requests }: { reports: string; generator: Generator; requests: number },
): Promise<HeldByService> {
  const contestant = site.contestants.find(({ name }) => /keyed|keys$/.test(name));
  if (!contestant) throw new Error("the site has no contestant");
  await waitUntilServing(notMeasured(contestant));
  const idle = await settled(reports);
  const { port, pids, requests: plan } = contestant;
  for (let sent = 0; sent < requests; ) {
    const order = { port, pids, requests: plan, connections: LOAD_CONNECTIONS, durationMs: LOAD_MS };
    sent += (await generator.send({ ...order, pace: { kind: "closed" } })).latency.count;
  }
  const used = await settled(reports);
  return new Map([...idle].map(([service, idleBytes]) => [service, { idleBytes, usedBytes: used.get(service) ?? 0 }]));
}

/** @returns the memory of an idle connection after one response. */
export async function measureConnections(site: Site, reports: string): Promise<MemoryResult["connections"]> {
  const contestant = site.contestants.find(({ name }) => name.endsWith("-keyed"));
  if (!contestant) throw new Error("the site has no contestant");
  const nextRequest = createRequests(contestant.requests, ["81.2.69.142"]);
  const open = async () => {
    const responded = Promise.withResolvers<void>();
    const connection = await openConnection(contestant.port, {
      response: () => responded.resolve(),
      failure: (_, reason) => responded.reject(new Error(reason)),
    });
    connection.send(nextRequest());
    await responded.promise;
    return connection;
  };
  const before = sum(await settled(reports));
  const connections = [];
  for (let opened = 0; opened < CONNECTIONS; opened += 1) connections.push(await open());
  const bytes = (sum(await settled(reports)) - before) / CONNECTIONS;
  for (const connection of connections) connection[Symbol.dispose]();
  return { count: CONNECTIONS, bytes };
}

/** @returns the memory of each database. */
export async function measureDatabases(paths: readonly string[]): Promise<MemoryResult["databases"]> {
  const measured: MemoryResult["databases"][number][] = [];
  for (const path of paths) {
    const child = fork(new URL("database-process.ts", import.meta.url), [path]);
    const exited = once(child, "exit").then(() => [null]);
    const [memory] = (await Promise.race([once(child, "message"), exited])) as [DatabaseMemory | null];
    if (!memory) throw new Error(`the memory of ${path} couldn't be measured`);
    await exited;
    measured.push({ name: basename(path), fileBytes: statSync(path).size, ...memory });
  }
  return measured;
}

async function settled(reports: string): Promise<Map<string, number>> {
  let held = await byService(reports);
  for (let readings = 1; readings < MAX_READINGS; readings += 1) {
    await delay(SETTLE_MS);
    const next = await byService(reports);
    const isSettled = [...next].every(([service, bytes]) => {
      const before = held.get(service) ?? 0;
      return Math.max(bytes, before) < SETTLED_RATIO * Math.min(bytes, before);
    });
    held = next;
    if (isSettled) break;
  }
  return held;
}

async function byService(reports: string): Promise<Map<string, number>> {
  return new Map((await heldMemory(reports)).map(({ service, heldBytes }) => [service, heldBytes]));
}

function sum(held: ReadonlyMap<string, number>): number {
  return [...held.values()].reduce((total, bytes) => total + bytes, 0);
}
