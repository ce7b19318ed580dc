import type { IssuedKeys, KeyFiles } from "../keys.ts";
import type { RequestPlan } from "../load/requests.ts";

/** Something that answers requests, with all processes that it takes. */
export interface Contestant {
  name: string;
  port: number;
  pids: readonly number[];
  requests: RequestPlan;
}

/** Processes that run, and the contestants that they are. */
export interface Site extends AsyncDisposable {
  contestants: Contestant[];
}

/** What contestants are started with. */
export interface Ground {
  /** Of each its own folder below. */
  folder: string;
  /** Paths of the geo databases: places in IPv4, in IPv6, networks. */
  databases: readonly string[];
  issued: IssuedKeys & KeyFiles;
  /** Further settings of our services. */
  environment?: Readonly<Record<string, string>>;
}

/** Few active keys: what most installations have. */
export const FEW_KEYS = 10;

export const KEYLESS_PATH = "/v1/geo";
export const KEYED_PATH = "/v1/geo?key={key}";
const FIELDS_PATH = "/v1/geo?key={key}&fields=country,city,timezone";

/** Settings of our services, standalone or in a cluster. */
export function serviceEnvironment(
  { databases, issued, environment }: Ground,
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

/** The requests that ours are driven with: without a key, with one of a few, and with `fields`. */
export function requestPlans(keys: readonly string[]): Record<"keyless" | "keyed" | "fields", RequestPlan> {
  return {
    keyless: { path: KEYLESS_PATH, keys: [] },
    keyed: { path: KEYED_PATH, keys },
    fields: { path: FIELDS_PATH, keys },
  };
}
