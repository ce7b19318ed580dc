import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { defaultDatabases } from "@geolookup/geo/default-databases.ts";
import { type Child, startChild } from "./child.ts";

/** What tests and benchmarks read from standard output: one line of JSON. */
interface Addresses {
  gateway: { url: string; ops: string; pid: number }[];
  auth: GrpcAddress[];
  geo: GrpcAddress[];
  usage: GrpcAddress[];
  portal: { url: string; ops: string; pid: number }[];
  adminToken: string;
}

interface GrpcAddress {
  address: string;
  ops: string;
  pid: number;
}

/**
 * Runs the services as processes on loopback ports until SIGINT, SIGTERM or the end of one of them.
 * @param environment as for the services; PORT (8080) is the gateway's, all other ports are the
 * system's choice; DATA_DIR (data) gets a folder `cluster`.
 * @returns the exit status.
 */
export async function runCluster(environment: NodeJS.ProcessEnv): Promise<number> {
  const children: Child[] = [];
  const stopRequested = Promise.withResolvers<string | null>();
  process.on("SIGINT", () => stopRequested.resolve(null));
  process.on("SIGTERM", () => stopRequested.resolve(null));
  try {
    const addresses = await startServices(environment, async (name, service, settings) => {
      const child = await startChild(name, service, settings);
      children.push(child);
      void child.ended.then(stopRequested.resolve);
      return child;
    });
    process.stdout.write(`${JSON.stringify(addresses)}\n`);
    explain(addresses);
  } catch (error) {
    stopRequested.resolve((error as Error).message);
  }
  const reason = await stopRequested.promise;
  if (reason !== null) process.stderr.write(`cluster: ${reason}; stopping the others\n`);
  for (const child of children.reverse()) await child.stop();
  return reason === null ? 0 : 1;
}

type Start = (name: string, service: string, settings: NodeJS.ProcessEnv) => Promise<Child>;

async function startServices(environment: NodeJS.ProcessEnv, start: Start): Promise<Addresses> {
  const dataDir = environment.DATA_DIR || "data";
  const adminToken = environment.ADMIN_TOKEN || randomBytes(24).toString("base64url");
  const loopback = { HOST: "127.0.0.1", PORT: "0", OPS_PORT: "0", ADMIN_TOKEN: adminToken };
  const gatewayFolder = join(dataDir, "cluster/gateway");

  const geo = await start("geo", "geo", {
    ...loopback,
    GEO_DATABASES: environment.GEO_DATABASES || defaultDatabases(dataDir).join(","),
  });
  const auth = await start("auth", "auth", { ...loopback, DATA_DIR: join(dataDir, "cluster/auth") });
  const portal = await start("portal", "portal", loopback);
  const gateway = await start("gateway", "gateway", {
    ...loopback,
    PORT: environment.PORT || "8080",
    DATA_DIR: gatewayFolder,
    AUTH_URL: `127.0.0.1:${auth.port}`,
    GEO_URL: `127.0.0.1:${geo.port}`,
    PORTAL_URL: `http://127.0.0.1:${portal.port}`,
  });
  // Follows the usage log that the gateway writes.
  const usage = await start("usage", "usage", { ...loopback, DATA_DIR: gatewayFolder });
  return {
    gateway: [httpAddress(gateway)],
    auth: [grpcAddress(auth)],
    geo: [grpcAddress(geo)],
    usage: [grpcAddress(usage)],
    portal: [httpAddress(portal)],
    adminToken,
  };
}

function httpAddress({ port, opsPort, pid }: Child) {
  return { url: `http://127.0.0.1:${port}`, ops: `http://127.0.0.1:${opsPort}`, pid };
}

function grpcAddress({ port, opsPort, pid }: Child): GrpcAddress {
  return { address: `127.0.0.1:${port}`, ops: `http://127.0.0.1:${opsPort}`, pid };
}

/** Tells a person how to use what runs; standard output stays machine-readable. */
function explain({ gateway, auth, usage, adminToken }: Addresses): void {
  const settings = `AUTH_URL=${auth[0]?.address} USAGE_URL=${usage[0]?.address} ADMIN_TOKEN=${adminToken}`;
  process.stderr.write(
    `\nThe cluster is up. Ctrl-C stops it.\n\n  curl '${gateway[0]?.url}/v1/geo'\n` +
      `  ${settings} npm run --silent keys -- issue --kind secret --plan paid\n\n`,
  );
}
