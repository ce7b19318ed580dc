import { geoDataFolder } from "@geolookup/geo/databases/installed-databases.ts";
import { readRefreshState } from "@geolookup/geo/databases/refresh-state.ts";
import { readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import type { ServiceRecord } from "@geolookup/shared/runtime/files/service-record.ts";
import { nodesOf } from "@geolookup/shared/runtime/grpc/target-addresses.ts";
import { parseOpsTargets } from "@geolookup/shared/runtime/http/ops-ports.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { REFRESH_FAILED, type Reading } from "@geolookup/shared/runtime/observability/readings.ts";
import { quoteForShell } from "@geolookup/shared/runtime/shell.ts";
import { z } from "zod";
import { type CommandContext, printResult } from "../command-line.ts";
import { adviceFor, deploymentOf, NOTHING_FOUND, type Part, parseParts } from "../deployment.ts";
import { dataDirFor, dataDirOf, environmentOf, findServices, runningFolders } from "../running-services.ts";
import { lookAtProcess } from "./process-readings.ts";
import { redisReadings } from "./redis-settings.ts";

/** The default of `make start`, for a service without a record: an older version, or another user's. */
export const DEFAULT_TARGETS = "standalone=127.0.0.1:9464";

/**
 * Shows for every process of a deployment whether it is ready, its version, and what its metrics say; and whether Redis
 * retains anything about callers. It looks at OPS_TARGETS or OPS_PORT, or without them at every service that findServices
 * finds on this machine.
 * @returns 1 if there are warnings. @throws StartError
 */
export async function runOverview(context: CommandContext, asJson = false): Promise<number> {
  const { environment } = context;
  const print = asJson ? () => undefined : context.print;
  const env = readEnvironment(
    z.object({
      OPS_TARGETS: z.string().optional(),
      OPS_PORT: z.string().optional(),
      DATA_DIR: z.string().optional(),
      PARTS: z.string().optional(),
    }),
    environment,
  );
  let warnings = 0;
  const findings: (Reading & { of: string })[] = [];
  const find = (of: string, reading: Reading) => {
    findings.push({ of, ...reading });
    if (reading.bad) warnings += 1;
  };
  const show = (of: string, reading: Reading, indent: string) => {
    print(`${indent}${reading.bad ? "! " : "  "}${reading.text}\n`);
    find(of, reading);
  };
  const showDeployment = async (targets: string, reached: NodeJS.ProcessEnv, record: ServiceRecord | null = null) => {
    for (const { service, target } of parseOpsTargets(targets)) {
      const nodes = await nodesOf(target).catch((error: Error) => {
        find(service, { text: error.message, bad: true });
        print(`${service}: ${error.message}\n`);
        return [];
      });
      for (const node of nodes) {
        const { title, readings } = await lookAtProcess(node);
        const of = `${service} at ${node}`;
        print(`${title.bad ? "! " : ""}${of}: ${title.text}\n`);
        find(of, title);
        for (const { text, bad } of readings) show(of, { text: await completed(text, record), bad }, "  ");
      }
    }
    const redis = await redisReadings(reached);
    if (redis) print("redis\n");
    for (const reading of redis ?? []) show("redis", reading, "  ");
  };
  const addressed =
    env.OPS_TARGETS ?? (env.OPS_PORT === undefined ? undefined : `standalone=127.0.0.1:${env.OPS_PORT}`);
  if (addressed !== undefined) {
    showMissing(env.PARTS === undefined ? [] : parseParts(env.PARTS));
    await showDeployment(addressed, environment);
  } else {
    const { running, problems } = findServices(environment);
    for (const record of running) {
      print(describeService(record));
      await showDeployment(record.variables.OPS_TARGETS ?? DEFAULT_TARGETS, environmentOf(record, environment), record);
      print("\n");
    }
    for (const text of problems) show("this machine", { text, bad: true }, "");
    if (running.length === 0) await showUnrecorded();
  }
  const text = warnings === 0 ? "No warnings.\n" : `${warnings} ${warnings === 1 ? "warning" : "warnings"}.\n`;
  printResult(context, { json: { warnings, findings }, text }, asJson);
  return warnings === 0 ? 0 : 1;

  function showMissing(parts: readonly Part[]): void {
    const deployment = deploymentOf(environment);
    for (const { service, running, expected } of parts)
      if (running < expected)
        show(
          service,
          { text: `${service}: ${running} of ${expected} running. ${adviceFor(deployment, service)}`, bad: true },
          "",
        );
  }

  /** @throws StartError if nothing responds. */
  async function showUnrecorded(): Promise<void> {
    if (env.DATA_DIR !== undefined) {
      const others = runningFolders(environment);
      const instead = others.length === 0 ? NOTHING_FOUND : `Services are running with ${others.join(" and ")}`;
      throw new StartError(`no service is running with the data folder ${env.DATA_DIR}. ${instead}`);
    }
    const [, node = ""] = DEFAULT_TARGETS.split("=");
    if (!(await lookAtProcess(node)).isResponding)
      throw new StartError(`geolookup is not running here. ${NOTHING_FOUND}`);
    await showDeployment(DEFAULT_TARGETS, environment);
  }
}

/** A reading with what its metric doesn't have: the DATA_DIR that a command needs, and why the refresh failed. */
async function completed(text: string, record: ServiceRecord | null): Promise<string> {
  if (record === null) return text;
  if (text === REFRESH_FAILED) {
    const state = await readRefreshState(geoDataFolder(dataDirOf(record))).catch(() => null);
    return `${text}: ${state?.lastRun?.problem ?? "its log line says why"}`;
  }
  const needed = dataDirFor(record);
  return needed === null ? text : text.replace("./geolookup data fetch ", `DATA_DIR=${quoteForShell(needed)} $&`);
}

function describeService(record: ServiceRecord): string {
  const { mode, pid, url, docsUrl, dataDir, variables } = record;
  const needed = dataDirFor(record);
  return (
    `make ${mode === "cluster" ? "cluster" : "start"} (process ${pid}): API ${url}, docs ${docsUrl}\n` +
    `  data folder ${dataDir}${needed === null ? "" : `; for other commands, set DATA_DIR=${needed}`}\n` +
    `  TRUST_PROXY is ${variables.TRUST_PROXY ?? "unknown"}\n`
  );
}
