import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newRingText } from "@geolookup/auth/signing/signing-ring.ts";
import { LOCK_FILE, lockFolder } from "@geolookup/shared/runtime/files/folder-lock.ts";
import { checkPortIsFree } from "@geolookup/shared/runtime/http/listen.ts";
import { type Companion, startCompanion } from "@geolookup/shared/runtime/lifecycle/companion.ts";
import { runNatsSetup } from "../nats-connection.ts";
import { addressesOf, explain, recordCluster } from "./addresses.ts";
import { freePort } from "./free-port.ts";
import { makeInternalCertificates } from "./internal-certificates.ts";
import { assignPorts, type Part, planParts } from "./parts.ts";
import { type RunningPart, type RunPart, runPart } from "./running-part.ts";
import { type ClusterSettings, readClusterSettings } from "./settings.ts";

/** Delay before starting a process that only computes reports. */
const REPORTS_DELAY_MS = 30_000;

/** The order of stopping: each part flushes to those that stop after it. */
const STOP_ORDER = [
  ["gateway", "portal"],
  ["usage", "auth", "geo"],
  ["redis", "nats"],
] as const;

/**
 * Runs the cluster on loopback ports until SIGINT, SIGTERM, SIGHUP or the end of one of its processes.
 * @param environment as for the services, and how many there are of each: GATEWAYS, AUTH, GEO, USAGE (1). PORT
 * (8080) is the first gateway's; DATA_DIR (data) gets a folder `cluster`.
 * @param run starts a part. Default: as a separate process.
 * @returns the exit status.
 * @throws StartError naming every bad variable, or if PORT or the folder is in use.
 */
export async function runCluster(environment: NodeJS.ProcessEnv, run: RunPart = runPart): Promise<number> {
  const settings = readClusterSettings(environment);
  // Gateways that share a port can't distinguish another cluster's gateways, so a second cluster started by mistake would get half
  // of the first one's connections.
  await checkPortIsFree({ host: "127.0.0.1", port: settings.port, setting: "PORT" });
  // Two clusters must not run stores on the same files.
  using _lock = lockFolder(settings.folder);
  const running: RunningPart[] = [];
  let isUp = false;
  await using companions = new AsyncDisposableStack();
  const stopRequested = Promise.withResolvers<string | null>();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stopRequested.resolve(null));
  // If the reader of this output has exited, stop the parts as on Ctrl-C instead of leaving them behind.
  for (const output of [process.stdout, process.stderr]) output.on("error", () => stopRequested.resolve(null));
  const start = async (parts: readonly Part[]) => {
    const readiness: Promise<void>[] = [];
    for (const part of parts) {
      const started = run(part, printLine);
      // Recorded immediately, so that it is stopped if the next one can't start.
      running.push(started);
      readiness.push(started.ready);
      started.ready.catch(() => {});
      void started.ended.then(stopRequested.resolve);
    }
    await Promise.all(readiness);
  };
  try {
    const parts = planParts(settings, await assignPorts(settings, freePort));
    makeSigningKeys(settings);
    makeCertificates(settings);
    const isStore = ({ opsPort }: Part) => opsPort === null;
    await start(parts.filter(isStore));
    await setUpNats(parts);
    const isGateway = ({ kind }: Part) => kind === "gateway";
    await start(parts.filter((part) => !isStore(part) && !isGateway(part)));
    // Last: a gateway that starts before geo waits before it reconnects, and its first responses would have no location.
    await start(parts.filter(isGateway));
    const refresh = settings.isRefreshed || settings.hasConsole ? companions.use(startDataRefresh(settings)) : null;
    const addresses = addressesOf(running, settings, refresh);
    process.stdout.write(`${JSON.stringify(addresses)}\n`);
    companions.use(await recordCluster(addresses, settings));
    explain(addresses, settings);
    isUp = true;
  } catch (error) {
    stopRequested.resolve((error as Error).message);
  }
  const reason = await stopRequested.promise;
  if (reason !== null) process.stderr.write(`cluster: ${reason}; stopping the others\n`);
  for (const kinds of STOP_ORDER) {
    const stopped = running.filter(({ part }) => kinds.some((kind) => kind === part.kind));
    await Promise.all(stopped.map((process) => process.stop()));
  }
  if (reason === null) return 0;
  // Printed after the last line of the last part, which may be read after that part has ended.
  process.once("beforeExit", () => {
    process.stderr.write(`cluster: ${isUp ? "stopped" : "could not start"}: ${reason}\n`);
  });
  return 1;
}

/** Creates the streams; a cluster on embedded stores has none. */
async function setUpNats(parts: readonly Part[]): Promise<void> {
  const nats = parts.find(({ kind }) => kind === "nats");
  if (!nats) return;
  const environment = { ...nats.environment, NATS_URL: `nats://127.0.0.1:${nats.port}` };
  await runNatsSetup({ environment, print: () => {}, printError: () => {} });
}

/** One process refreshes the databases that all geo nodes share, and computes reports about them. */
function startDataRefresh({ isRefreshed }: ClusterSettings): Companion {
  return startCompanion({
    delayMs: isRefreshed ? 0 : REPORTS_DELAY_MS,
    script: join(import.meta.dirname, "../../services/geo-data/src/refresh/main.ts"),
    args: [],
    onEnd: (how, seconds) =>
      void process.stderr.write(`cluster: the geo data refresh ${how}; restarting it in ${seconds} s\n`),
  });
}

/**
 * All auth nodes share one ring. It is created here for a new cluster only. If keys may have been issued, auth refuses to
 * start without the ring that signed them.
 */
export function makeSigningKeys({ folder, signingKeysFile }: ClusterSettings): void {
  const isNew = !existsSync(folder) || readdirSync(folder).every((name) => name === LOCK_FILE);
  if (!isNew || existsSync(signingKeysFile)) return;
  mkdirSync(dirname(signingKeysFile), { recursive: true });
  writeFileSync(signingKeysFile, newRingText(randomBytes), { mode: 0o600, flag: "wx" });
}

/** For TLS between processes, if it is on. @throws StartError if there is no openssl */
export function makeCertificates({ internalTlsFolder }: ClusterSettings): void {
  if (internalTlsFolder !== null) makeInternalCertificates(internalTlsFolder);
}

function printLine({ name }: Part, line: string): void {
  process.stderr.write(`${name.padEnd(9)} | ${line}\n`);
}
