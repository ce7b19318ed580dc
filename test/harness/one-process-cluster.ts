import { readConfig as readAuth } from "@geolookup/auth/config.ts";
import { startAuth } from "@geolookup/auth/server.ts";
import { readConfig as readGateway } from "@geolookup/gateway/config.ts";
import { startGateway } from "@geolookup/gateway/server.ts";
import { readConfig as readGeo } from "@geolookup/geo/config.ts";
import { startGeo } from "@geolookup/geo/server.ts";
import { readConfig as readPortal } from "@geolookup/portal/config.ts";
import { startPortal } from "@geolookup/portal/server.ts";
import { readConfig as readUsage } from "@geolookup/usage/config.ts";
import { startUsage } from "@geolookup/usage/server.ts";
import type { Part } from "../../scripts/cluster/parts.ts";
import { runCluster } from "../../scripts/cluster/run-cluster.ts";
import { type RunningPart, type RunPart, runPart } from "../../scripts/cluster/running-part.ts";

type OnLine = Parameters<RunPart>[1];

/** Services close within 10 s, or are stopped by force if they are processes. The harness waits a little longer. */
const SLOW_CLOSE_MS = 10_000;

/**
 * The cluster command with its services in this process. They reach each other and the stores over the same connections as
 * separate processes, but startup costs a quarter of the CPU time.
 */
const runHere: RunPart = (part, onLine) => {
  const { kind, environment } = part;
  switch (kind) {
    case "redis":
    case "nats":
      return runPart(part, onLine);
    case "auth":
      return running(part, onLine, startAuth(readAuth(environment)));
    case "gateway":
      return running(part, onLine, startGateway(readGateway(environment)));
    case "geo":
      return running(part, onLine, startGeo(readGeo(environment)));
    case "portal":
      return running(part, onLine, startPortal(readPortal(environment)));
    case "usage":
      return running(part, onLine, startUsage(readUsage(environment)));
  }
};

function running(
  part: Part,
  onLine: OnLine,
  started: Promise<AsyncDisposable & { ready?: Promise<unknown> }>,
): RunningPart {
  const ended = Promise.withResolvers<string>();
  return {
    part,
    pid: process.pid,
    // Auth opens its gRPC port once it has read the key log.
    ready: started.then(async ({ ready }) => void (await ready)),
    ended: ended.promise,
    signal: () => {
      throw new Error(`${part.name} isn't a separate process`);
    },
    async stop() {
      const slow = setTimeout(
        () => onLine(part, `${part.name} has not closed within ${SLOW_CLOSE_MS} ms`),
        SLOW_CLOSE_MS,
      );
      await (await started)[Symbol.asyncDispose]();
      clearTimeout(slow);
      ended.resolve(`${part.name} ended with status 0`);
      return ended.promise;
    },
  };
}

process.exitCode = await runCluster(process.env, runHere);
if (process.exitCode === 0) process.exit();
