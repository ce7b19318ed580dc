import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { geoDataFolder } from "@geolookup/geo/databases/installed-databases.ts";
import { timezonesFolder } from "@geolookup/geo/timezones/table-folder.ts";
import { inherited } from "../../../test/harness/child.ts";
import { waitFor } from "../../../test/harness/wait-for.ts";
import { freePort } from "../../cluster/free-port.ts";
import { assignPorts, type Part, type PartKind, planParts } from "../../cluster/parts.ts";
import { makeSigningKeys, setUpNats } from "../../cluster/run-cluster.ts";
import { type RunningPart, runPart } from "../../cluster/running-part.ts";
import { readClusterSettings } from "../../cluster/settings.ts";
import { serviceEnvironment, type Testbed } from "../contestants/contestant.ts";
import type { RequestPlan } from "../load/requests.ts";
import { type CounterSources, type Messages, readMessages, type ThreadMicros, threadMicros } from "./counters.ts";

const START_TIMEOUT_MS = 30_000;

/** Where clusters start, and the installed geo data, whose time zones are already computed. */
export type CapacityTestbed = Testbed & { geoData: string };

/** How many processes of each kind there are; the others have one. */
export interface ClusterSize {
  gateways: number;
  geo: number;
}

/** A running cluster whose CPU time and messages can be read. It has no portal, which no request needs. */
export interface MeasuredCluster extends AsyncDisposable {
  gatewayPorts: readonly number[];
  natsUrl: string;
  /** CPU time so far, by process (`gateway-1`, `nats`). */
  processorMicros(): Map<string, ThreadMicros>;
  messages(): Promise<Messages>;
}

/** Starts a cluster in its own folder, on free loopback ports, with a NATS server that reports its messages. */
export async function startMeasuredCluster(
  testbed: CapacityTestbed,
  name: string,
  { gateways, geo }: ClusterSize,
): Promise<MeasuredCluster> {
  const dataDir = join(testbed.folder, name);
  mkdirSync(dataDir, { recursive: true });
  const zones = timezonesFolder(testbed.geoData);
  if (existsSync(zones)) cpSync(zones, timezonesFolder(geoDataFolder(dataDir)), { recursive: true });
  const settings = readClusterSettings({
    ...inherited(),
    ...serviceEnvironment(testbed, dataDir),
    GATEWAYS: `${gateways}`,
    GEO: `${geo}`,
  });
  const ports = await assignPorts(settings, freePort);
  const monitorPort = await freePort();
  makeSigningKeys(settings);
  const parts = planParts(settings, ports)
    .filter(({ kind }) => kind !== "portal")
    .map((part) => (part.kind === "nats" ? { ...part, args: [...part.args, "-m", `${monitorPort}`] } : part));

  await using opened = new AsyncDisposableStack();
  const running: RunningPart[] = [];
  const lastLines: string[] = [];
  const start = async (kinds: readonly PartKind[]) => {
    const started = parts
      .filter(({ kind }) => kinds.includes(kind))
      .map((part) => runPart(part, (of, line) => keepLine(lastLines, of, line)));
    running.push(...started);
    for (const part of started) opened.defer(async () => void (await part.stop()));
    await Promise.all(started.map(({ ready }) => ready));
  };
  try {
    // Stopped in reverse order: gateways publish their counts first.
    await start(["redis", "nats"]);
    await setUpNats(parts);
    await start(["geo", "auth", "usage"]);
    await start(["gateway"]);
  } catch (error) {
    throw new Error(`${(error as Error).message}; the last lines:\n${lastLines.join("\n")}`, { cause: error });
  }
  const portOf = (kind: PartKind) => ports.find((part) => part.kind === kind)?.port;
  const ofGateways = ports.filter(({ kind }) => kind === "gateway");
  const sources: CounterSources = {
    gatewayOps: ofGateways.map(({ opsPort }) => `http://127.0.0.1:${opsPort}`),
    natsMonitorUrl: `http://127.0.0.1:${monitorPort}`,
    redisUrl: `redis://127.0.0.1:${portOf("redis")}`,
  };
  const held = opened.move();
  return {
    gatewayPorts: ofGateways.map(({ port }) => port),
    natsUrl: `nats://127.0.0.1:${portOf("nats")}`,
    processorMicros: () => new Map(running.map(({ part, pid }) => [part.name, threadMicros(pid)])),
    messages: () => readMessages(sources),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

function keepLine(lines: string[], { name }: Part, line: string): void {
  lines.push(`${name} ${line}`);
  if (lines.length > 20) lines.shift();
}

/** Waits until every gateway accepts the last key, and therefore all of them. */
export async function allRespond({ gatewayPorts }: MeasuredCluster, { path, keys }: RequestPlan): Promise<void> {
  const target = path.replace("{key}", keys.at(-1) ?? "");
  for (const port of gatewayPorts)
    await waitFor(
      `the gateway on port ${port} to respond`,
      () => isServed(`http://127.0.0.1:${port}${target}`),
      START_TIMEOUT_MS,
    );
}

async function isServed(url: string): Promise<boolean> {
  const response = await fetch(url);
  await response.text();
  return response.status === 200;
}
