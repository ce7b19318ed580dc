import { readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import { nodesOf } from "@geolookup/shared/runtime/grpc/target-addresses.ts";
import { parseOpsTargets } from "@geolookup/shared/runtime/http/ops-targets.ts";
import { parseSamples, type Reading, readingsOf } from "@geolookup/shared/runtime/observability/readings.ts";
import { z } from "zod";
import { readArguments } from "../command-line.ts";
import type { CommandContext } from "../run-command.ts";
import { redisReadings } from "./redis-settings.ts";

const TIMEOUT_MS = 3_000;

/**
 * Shows for every process of a deployment whether it is ready, its version, and what its metrics say; and whether Redis
 * retains anything about callers.
 * @returns 1 if there are warnings. @throws StartError, CommandLineError
 */
export async function runOverview({ args, environment, print }: CommandContext): Promise<number> {
  readArguments(args, {}, 0);
  const env = readEnvironment(
    z.object({ OPS_TARGETS: z.string().optional(), OPS_PORT: z.string().default("9464") }),
    environment,
  );
  const targets = parseOpsTargets(env.OPS_TARGETS ?? `standalone=127.0.0.1:${env.OPS_PORT}`);
  let warnings = 0;
  for (const { service, target } of targets) {
    const nodes = await nodesOf(target).catch((error: Error) => {
      warnings += 1;
      print(`${service}: ${error.message}\n`);
      return [];
    });
    for (const node of nodes) {
      const { title, readings } = await look(node);
      print(`${service} at ${node}: ${title.text}\n`);
      for (const { text, bad } of readings) print(`  ${bad ? "! " : "  "}${text}\n`);
      warnings += [title, ...readings].filter(({ bad }) => bad).length;
    }
  }
  const redis = await redisReadings(environment);
  if (redis) {
    print("redis\n");
    for (const { text, bad } of redis) print(`  ${bad ? "! " : "  "}${text}\n`);
    warnings += redis.filter(({ bad }) => bad).length;
  }
  print(warnings === 0 ? "No warnings.\n" : `${warnings} ${warnings === 1 ? "warning" : "warnings"}.\n`);
  return warnings === 0 ? 0 : 1;
}

async function look(node: string): Promise<{ title: Reading; readings: Reading[] }> {
  try {
    const [ready, metrics] = await Promise.all([ask(node, "/readyz"), ask(node, "/metrics")]);
    const samples = parseSamples(metrics.text);
    const labelsOf = (name: string) => samples.find((sample) => sample.name === name)?.labels;
    const startedSeconds = samples.find(({ name }) => name === "process_start_time_seconds")?.value;
    const up =
      startedSeconds === undefined ? "" : `, up since ${new Date(startedSeconds * 1000).toISOString().slice(0, 19)}Z`;
    const version = labelsOf("geolookup_build_info")?.version ?? "unknown version";
    const runs = `${version}, Node ${labelsOf("nodejs_version_info")?.version ?? "unknown"}${up}`;
    const readings = readingsOf(samples, Date.now() / 1000);
    const isReady = ready.status === 200;
    return { title: { text: `${isReady ? "ready" : "NOT READY"}, ${runs}`, bad: !isReady }, readings };
  } catch (error) {
    const { message, cause } = error as Error;
    return {
      title: { text: `NOT RESPONDING: ${(cause as Error | undefined)?.message ?? message}`, bad: true },
      readings: [],
    };
  }
}

async function ask(node: string, path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`http://${node}${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return { status: response.status, text: await response.text() };
}
