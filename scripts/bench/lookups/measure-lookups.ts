import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { LookupKind } from "./lookup-process.ts";

const WARM_UP_MS = 2_000;
const ROUND_MS = 1_000;

/** Lookups per second of CPU time, one value per round. */
export type Lookups = Record<LookupKind, number[]>;

/** Measures lookups without a network, in turn: final records of `locate`, and raw ones of `maxmind`. */
export async function measureLookups(databases: readonly string[], rounds: number): Promise<Lookups> {
  const lookups: Lookups = { maxmind: [], locate: [] };
  await using opened = new AsyncDisposableStack();
  const processes: { kind: LookupKind; child: ChildProcess }[] = [];
  for (const kind of ["maxmind", "locate"] as const) {
    const child = fork(new URL("lookup-process.ts", import.meta.url), [kind, ...databases]);
    opened.defer(() => end(child));
    await messageOf(child);
    await ask(child, WARM_UP_MS);
    processes.push({ kind, child });
  }
  for (let round = 0; round < rounds; round += 1)
    for (const { kind, child } of processes) lookups[kind].push(await ask(child, ROUND_MS));
  return lookups;
}

async function ask(child: ChildProcess, durationMs: number): Promise<number> {
  child.send(durationMs);
  return Number(await messageOf(child));
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  const ended = once(child, "exit").then(([status]) => {
    throw new Error(`the lookup process ended with status ${status}`);
  });
  const [message] = (await Promise.race([once(child, "message"), ended])) as unknown[];
  return message;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}
