import { startProgram } from "../../../test/harness/child.ts";
import type { RequestPlan } from "../load/requests.ts";

/** A server under test, with all its processes. */
export interface Contestant {
  name: string;
  port: number;
  pids: readonly number[];
  /** What each of these processes is, if they are different services. */
  services?: readonly string[];
  requests: RequestPlan;
}

/** Running processes, and the contestants that they form. */
export interface Site extends AsyncDisposable {
  contestants: Contestant[];
}

/** The folders, plans and databases that contestants need to start. */
export interface Testbed {
  /** Each contestant has its own folder in it. */
  folder: string;
  /** Paths of the geo databases: IPv4 places, IPv6 places, networks. */
  databases: readonly string[];
  plansFile: string;
  /** More settings for our services. */
  environment: Readonly<Record<string, string>>;
}

/** Settings of our services, standalone or in a cluster. */
export function serviceEnvironment(
  { databases, plansFile, environment }: Testbed,
  dataDir: string,
): Record<string, string> {
  return {
    ...environment,
    DATA_DIR: dataDir,
    GEO_DATABASES: databases.join(","),
    PLANS_FILE: plansFile,
    TRUST_PROXY: "loopback",
    PORT: "0",
    OPS_PORT: "0",
    // With the console, a process makes reports about the data, which takes a minute of CPU time after the start.
    CONSOLE: "off",
  };
}

/** Our service without a key, and with one of a few keys. Both have the same records in memory. */
export function requestPlans(keys: readonly string[]): Record<"keyless" | "keyed", RequestPlan> {
  return { keyless: { path: "/v1/geo", keys: [] }, keyed: { path: "/v1/geo?key={key}", keys } };
}

/** Starts a contestant that is one process without keys. The warm-up waits until it serves. */
export function startProcess(
  { name, port, path }: { name: string; port: number; path: string },
  program: string,
  args: readonly string[],
): Site {
  const child = startProgram(program, args, {});
  return {
    contestants: [{ name, port, pids: [child.pid], requests: { path, keys: [] } }],
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}
