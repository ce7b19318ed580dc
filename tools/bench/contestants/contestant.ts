import type { IssuedKeys, KeyFiles } from "../keys.ts";
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

/** A standalone process. */
export interface Standalone extends AsyncDisposable {
  port: number;
  edgePort: number;
  pid: number;
}

/** The folders, keys and databases that contestants need to start. */
export interface Testbed {
  /** Each contestant has its own folder in it. */
  folder: string;
  /** Paths of the geo databases: IPv4 places, IPv6 places, networks. */
  databases: readonly string[];
  issued: IssuedKeys & KeyFiles;
  /** More settings for our services. */
  environment?: Readonly<Record<string, string>>;
}

/** The number of active keys of a typical installation. */
export const FEW_KEYS = 10;

export const KEYLESS_PATH = "/v1/geo";
export const KEYED_PATH = "/v1/geo?key={key}";
const FIELDS_PATH = "/v1/geo?key={key}&fields=country,city,timezone";

/** Settings of our services, standalone or in a cluster. */
export function serviceEnvironment(
  { databases, issued, environment }: Testbed,
  dataDir: string,
): Record<string, string> {
  return {
    ...environment,
    DATA_DIR: dataDir,
    GEO_DATABASES: databases.join(","),
    PLANS_FILE: issued.plansFile,
    SIGNING_KEYS_FILE: issued.signingKeysFile,
    TRUST_PROXY: "loopback",
    PORT: "0",
    OPS_PORT: "0",
  };
}

/** Two loads for the same processes, so that only the number of keys in use differs. @param keys all that are active. */
export function manyKeysContestants(
  kind: "standalone" | "cluster",
  site: Pick<Contestant, "port" | "pids" | "services">,
  keys: readonly string[],
): Contestant[] {
  return [
    { name: `${kind}-few-of-many`, ...site, requests: requestPlans(keys.slice(0, FEW_KEYS)).keyed },
    { name: `${kind}-many-keys`, ...site, requests: requestPlans(keys).keyed },
  ];
}

/** The loads for our services: without a key, with one of a few keys, and with `fields`. */
export function requestPlans(keys: readonly string[]): Record<"keyless" | "keyed" | "fields", RequestPlan> {
  return {
    keyless: { path: KEYLESS_PATH, keys: [] },
    keyed: { path: KEYED_PATH, keys },
    fields: { path: FIELDS_PATH, keys },
  };
}
