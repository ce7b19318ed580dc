import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseJson } from "@geolookup/shared/domain/parse-json.ts";
import { grpcTarget } from "@geolookup/shared/runtime/env/addresses.ts";
import { readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import { type SecurePeer, securePeer } from "@geolookup/shared/runtime/grpc/client.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { type InternalTls, readInternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import { INTERNAL_TLS_VARIABLES, internalTlsSettings } from "@geolookup/shared/runtime/tls/settings.ts";
import { z } from "zod";
import { type Deployment, deploymentOf, NOTHING_FOUND } from "../deployment.ts";
import { environmentOf, findServices, runningFolders } from "../running-services.ts";

/** Where a service is administered. */
export interface ServiceAddress {
  /** A gRPC target. */
  target: string;
  token: string;
  /** How the service is deployed, for the advice if it isn't running. Default: `unknown`. */
  deployment?: Deployment;
  /** The identity that the target must prove; absent: none, and no TLS. */
  peer?: SecurePeer | undefined;
}

const adminFile = z.object({ address: z.string().min(1), token: z.string().min(1) });

/**
 * Finds the service: at AUTH_URL (USAGE_URL for usage) with ADMIN_TOKEN if they are set, otherwise through
 * `DATA_DIR/admin.json`, which the running service wrote; auth with ADMIN_TOKEN if it is set.
 * @throws StartError naming every bad variable, or saying how to start the service or what to set.
 */
export function findService(service: "auth" | "usage", environment: NodeJS.ProcessEnv): ServiceAddress {
  const env = readEnvironment(
    z.object({
      DATA_DIR: z.string().default("data"),
      AUTH_URL: grpcTarget().optional(),
      USAGE_URL: grpcTarget().optional(),
      ADMIN_TOKEN: z.string().optional(),
      ...INTERNAL_TLS_VARIABLES,
    }),
    environment,
    ["ADMIN_TOKEN"],
  );
  // The record of `make cluster` has its addresses and token; `make start` writes admin.json.
  if (env.AUTH_URL === undefined && env.USAGE_URL === undefined) {
    const [running] = findServices({ ...environment, DATA_DIR: env.DATA_DIR }).running;
    if (running?.variables.AUTH_URL)
      return { ...findService(service, environmentOf(running, environment)), deployment: running.mode };
    const found = readAdminFile(join(env.DATA_DIR, "admin.json"), environment);
    // An operator's own. Usage knows only the service's.
    return service === "auth" && env.ADMIN_TOKEN !== undefined ? { ...found, token: env.ADMIN_TOKEN } : found;
  }
  const variable = service === "auth" ? "AUTH_URL" : "USAGE_URL";
  const target = env[variable];
  if (target === undefined) throw new StartError(`set ${variable} as well: the address of the ${service} service`);
  if (env.ADMIN_TOKEN === undefined)
    throw new StartError(`set ADMIN_TOKEN (or ADMIN_TOKEN_FILE) as well: ${target} requires it`);
  const peer = securePeer(operatorTls(env), service);
  return { target, token: env.ADMIN_TOKEN, peer, deployment: deploymentOf(environment) };
}

/** The operator's certificate for connections to services; null if none is set. @throws StartError if a file can't be used */
export function operatorTls(env: Parameters<typeof internalTlsSettings>[0]): InternalTls | null {
  const settings = internalTlsSettings(env);
  return settings && readInternalTls(settings, "operator");
}

function readAdminFile(path: string, environment: NodeJS.ProcessEnv): ServiceAddress {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT")
      throw new StartError(`cannot read ${path}: ${(error as Error).message}`);
    const others = runningFolders(environment);
    if (others.length > 0)
      throw new StartError(
        `no service is running with the data folder ${dirname(path)}. Set DATA_DIR to the folder of a running one: ` +
          others.join(" or "),
      );
    throw new StartError(`geolookup is not running here: there is no ${path}. ${NOTHING_FOUND}`);
  }
  const parsed = adminFile.safeParse(parseJson(text));
  if (!parsed.success) throw new StartError(`${path} isn't valid; restart geolookup to rewrite it`);
  return { target: parsed.data.address, token: parsed.data.token, deployment: "standalone" };
}
