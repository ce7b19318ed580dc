import { placeText } from "@geolookup/portal/console/address-fields.ts";
import type { Database__Output as Database } from "@geolookup/shared/generated/geolookup/geo/v1/Database.ts";
import { grpcTarget } from "@geolookup/shared/runtime/env/addresses.ts";
import { readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import { callUnary, openClient, type SecurePeer, securePeer } from "@geolookup/shared/runtime/grpc/client.ts";
import { GEO } from "@geolookup/shared/runtime/grpc/services.ts";
import { nodesOf } from "@geolookup/shared/runtime/grpc/target-addresses.ts";
import { parseTrustProxy } from "@geolookup/shared/runtime/http/client-address.ts";
import { explainAddress } from "@geolookup/shared/runtime/http/explain-address.ts";
import { INTERNAL_TLS_VARIABLES } from "@geolookup/shared/runtime/tls/settings.ts";
import { z } from "zod";
import { type CommandContext, CommandLineError } from "../command-line.ts";
import { NOTHING_FOUND } from "../deployment.ts";
import { operatorTls } from "../keys/service-address.ts";
import { environmentOf, findOneService } from "../running-services.ts";

const DEADLINE_MS = 5_000;
const DAY_SECONDS = 86_400;

/**
 * Shows which address of a request is the caller's, and what each database of each geo node contains for it. The address is
 * printed, but not stored or logged.
 * @throws CommandLineError, StartError
 */
export async function runDoctorIp(
  { environment, print }: CommandContext,
  named: string | undefined,
  options: { peer?: string; xForwardedFor?: string },
): Promise<number> {
  if (options.peer !== undefined && named !== undefined)
    throw new CommandLineError(`name one address that the connection comes from, not ${named} and ${options.peer}`);
  const peer = options.peer ?? named;
  if (peer === undefined) throw new CommandLineError("name the address that the connection comes from: --peer ADDRESS");
  const schema = z.object({
    TRUST_PROXY: z.string().optional(),
    GEO_URL: grpcTarget().optional(),
    ...INTERNAL_TLS_VARIABLES,
  });
  const own = readEnvironment(schema, environment);
  const record = own.GEO_URL === undefined ? findOneService(environment) : null;
  const env = record === null ? own : readEnvironment(schema, environmentOf(record, environment));
  const { GEO_URL: geoUrl } = env;
  // The defaults of the gateway and of standalone.
  const trustProxy = env.TRUST_PROXY ?? (geoUrl === undefined ? "loopback" : "none");
  print(`TRUST_PROXY is ${trustProxy}${originOf(own.TRUST_PROXY, record?.variables.TRUST_PROXY)}\n`);
  const { caller, steps, notes } = explained(trustProxy, peer, options.xForwardedFor);
  for (const { hop, says } of steps) print(`  ${hop}: ${says}\n`);
  print(`The caller is ${caller}\n`);
  for (const note of notes) print(`  ${note}\n`);
  if (geoUrl === undefined) {
    print(
      `No service is running here, so its databases aren't shown. ${NOTHING_FOUND}, or GEO_URL to its geo nodes.\n`,
    );
    return 0;
  }
  const geoPeer = securePeer(operatorTls(env), "geo");
  for (const node of await nodesOf(geoUrl)) await printNode(node, geoPeer, caller, print);
  return 0;
}

/** Text to print after a setting: where it comes from. */
function originOf(ofCommand: string | undefined, ofService: string | undefined): string {
  if (ofCommand === undefined) return ofService === undefined ? ", the default" : "";
  if (ofService === undefined || ofService === ofCommand) return "";
  return ` for this command; the running service has ${ofService}`;
}

function explained(trustProxy: string, peer: string, forwardedFor: string | undefined) {
  try {
    parseTrustProxy(trustProxy);
  } catch (error) {
    throw new CommandLineError(`TRUST_PROXY: ${(error as Error).message}`);
  }
  try {
    return explainAddress(trustProxy, peer, forwardedFor);
  } catch (error) {
    throw new CommandLineError((error as Error).message);
  }
}

async function printNode(
  node: string,
  peer: SecurePeer | undefined,
  ip: string,
  print: (text: string) => void,
): Promise<void> {
  const client = openClient(node, peer);
  try {
    const options = { deadlineMs: DEADLINE_MS };
    const { databases } = await callUnary(client, GEO.ListDatabases, {}, options);
    const { result, sources } = await callUnary(client, GEO.Explain, { address: ip }, options);
    print(`geo at ${node}\n`);
    const applied = sources.find(({ prefix }) => prefix);
    for (const source of sources) {
      const { name, located, prefix } = source;
      const database = prefix ? undefined : databases.find((each) => each.name === name);
      const about = prefix
        ? ` (geofeed, ${prefix}, ${source === applied ? "applies" : "overridden"})`
        : database && ` (${database.databaseType}, ${ageOf(database)})`;
      print(`  ${name}${about ?? ""}: ${placeText(located)}\n`);
    }
    print(`  together: ${placeText(result)}\n`);
  } catch (error) {
    print(`geo at ${node} isn't responding: ${(error as Error).message}\n`);
  } finally {
    client.close();
  }
}

function ageOf({ buildUnixSeconds = 0 }: Database): string {
  if (buildUnixSeconds === 0) return "build date unknown";
  const days = Math.floor((Date.now() / 1000 - buildUnixSeconds) / DAY_SECONDS);
  return `built ${new Date(buildUnixSeconds * 1000).toISOString().slice(0, 10)}, ${days} days ago`;
}
