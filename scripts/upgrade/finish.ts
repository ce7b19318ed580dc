import { readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import { KEY_ADMIN } from "@geolookup/shared/runtime/grpc/services.ts";
import { nodesOf } from "@geolookup/shared/runtime/grpc/target-addresses.ts";
import { type OpsTarget, parseOpsTargets } from "@geolookup/shared/runtime/http/ops-ports.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { VERSION } from "@geolookup/shared/runtime/service/operations.ts";
import { z } from "zod";
import { type CommandContext, printResult } from "../command-line.ts";
import { parseParts } from "../deployment.ts";
import { DEFAULT_TARGETS } from "../doctor/overview.ts";
import { lookAtProcess } from "../doctor/process-readings.ts";
import { callAuth } from "../keys/admin-client.ts";
import { findOneService } from "../running-services.ts";

/**
 * Records that every process of the deployment runs this version, after a look at each of them.
 * @throws StartError naming the processes that don't, or that can't be reached; ServiceError
 */
export async function runFinishUpgrade(context: CommandContext, asJson = false): Promise<number> {
  const { environment } = context;
  const { PARTS } = readEnvironment(z.object({ PARTS: z.string().optional() }), environment);
  const stopped = (PARTS === undefined ? [] : parseParts(PARTS))
    .filter(({ running, expected }) => running < expected)
    .map(({ service, running, expected }) => `${service}: ${running} of ${expected} running`);
  const processes = (await Promise.all(targetsIn(environment).map(processesOf))).flat();
  const others = processes.filter(({ version }) => version !== VERSION).map(({ name, found }) => `${name}: ${found}`);
  const problems = [...stopped, ...others];
  if (problems.length > 0)
    throw new StartError(
      `not every process runs ${VERSION}, so nothing was recorded. Upgrade or start these, then try again:` +
        problems.map((each) => `\n  ${each}`).join(""),
    );
  const finished = await callAuth(environment, KEY_ADMIN.FinishUpgrade, { version: VERSION });
  const { version = VERSION, at = "" } = finished;
  const text = `Every process (${processes.length}) runs ${version}, which has been on record since ${at}.\n`;
  printResult(context, { json: { version, at, processes: processes.length }, text }, asJson);
  return 0;
}

/** The ops ports of the deployment, as doctor finds them. @throws StartError */
function targetsIn(environment: NodeJS.ProcessEnv): OpsTarget[] {
  const { OPS_TARGETS, OPS_PORT } = readEnvironment(
    z.object({ OPS_TARGETS: z.string().optional(), OPS_PORT: z.string().optional() }),
    environment,
  );
  if (OPS_TARGETS !== undefined) return parseOpsTargets(OPS_TARGETS);
  if (OPS_PORT !== undefined) return parseOpsTargets(`standalone=127.0.0.1:${OPS_PORT}`);
  return parseOpsTargets(findOneService(environment)?.variables.OPS_TARGETS ?? DEFAULT_TARGETS);
}

/** Every process of a service, with its version, or why it isn't known. */
async function processesOf({ service, target }: OpsTarget) {
  try {
    const nodes = await nodesOf(target);
    return await Promise.all(
      nodes.map(async (node) => {
        const { version, title } = await lookAtProcess(node);
        return { name: `${service} at ${node}`, version, found: version ?? title.text };
      }),
    );
  } catch (error) {
    return [{ name: service, version: undefined, found: (error as Error).message }];
  }
}
