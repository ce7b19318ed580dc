import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { canReusePort } from "@geolookup/gateway/config.ts";
import { feedSources } from "@geolookup/geo/geofeed/feed-source.ts";
import { hasDownloads } from "@geolookup/geo/geofeed/geofeed-paths.ts";
import { port, readEnvironment, wholeNumber } from "@geolookup/shared/runtime/env/env.ts";
import { servicesFolder } from "@geolookup/shared/runtime/files/service-record.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { z } from "zod";

/** More processes than this on one machine are a typo. */
const MAX_OF_ONE_SERVICE = 32;

/** The services that can run more than once. */
export type Scaled = "gateway" | "auth" | "geo" | "usage";

export interface ClusterSettings {
  stores: "cluster" | "embedded";
  /** The number of processes of each service. */
  counts: Readonly<Record<Scaled, number>>;
  /** Absolute: `<DATA_DIR>/cluster`. */
  folder: string;
  /** The gateways' public port, or the first one's if they can't share it. 0: free ports. */
  port: number;
  /** Whether several gateways listen on `port`. */
  sharesPort: boolean;
  adminToken: string;
  ipHashSecret: string;
  signingKeysFile: string;
  /** Absolute: the certificates for TLS between processes. Null: no TLS. */
  internalTlsFolder: string | null;
  /** The protocol of the gateways' public ports. */
  publicScheme: "http" | "https";
  /** Absolute. The geo nodes share the databases installed in it. */
  dataDir: string;
  /** Whether a process refreshes these databases, or downloads geofeeds, or did so earlier. */
  isRefreshed: boolean;
  /** Whether the console is enabled, which shows reports about the data. */
  hasConsole: boolean;
  /** Where commands find this user's services. */
  servicesFolder: string;
  /** The environment of every part, besides its own settings. */
  environment: Readonly<Record<string, string>>;
}

/** Not passed on: the parts get the values, and services refuse a value together with a file. */
const GIVEN_AS_VALUES = new Set(["ADMIN_TOKEN_FILE", "IP_HASH_SECRET_FILE"]);
/** Not passed on: settings for other stores. The ones started here are on loopback and have no passwords. */
const STORE_ACCESS = /^(NATS|REDIS)_(URL|USER|PASSWORD|CREDS|CA|CERT|KEY)(_FILE)?$/;
/** Not passed on: certificates for other clusters. */
const OTHER_TLS = /^INTERNAL_TLS/;

const SCHEMA = z.object({
  STORES: z.enum(["cluster", "embedded"], "must be cluster or embedded").default("cluster"),
  GATEWAYS: count(),
  AUTH: count(),
  GEO: count(),
  USAGE: count(),
  DATA_DIR: z.string().default("data"),
  GEO_DATABASES: z.string().optional(),
  GEOFEED_URLS: feedSources(),
  CONSOLE: z.enum(["on", "off"], "must be on or off").default("on"),
  GEO_DATA_REFRESH: z.enum(["on", "off"], "must be on or off").default("on"),
  INTERNAL_TLS: z.enum(["on", "off"], "must be on or off").default("off"),
  PORT: port().default(8080),
  ADMIN_TOKEN: z.string().optional(),
  IP_HASH_SECRET: z.string().optional(),
  SIGNING_KEYS_FILE: z.string().optional(),
});

function count() {
  return wholeNumber(1, MAX_OF_ONE_SERVICE).default(1);
}

/** The local cluster's settings. @throws StartError naming every bad variable. */
export function readClusterSettings(environment: NodeJS.ProcessEnv): ClusterSettings {
  const env = readEnvironment(SCHEMA, environment, ["ADMIN_TOKEN", "IP_HASH_SECRET"]);
  const counts = { gateway: env.GATEWAYS, auth: env.AUTH, geo: env.GEO, usage: env.USAGE };
  if (env.STORES === "embedded" && counts.gateway + counts.auth + counts.usage > 3)
    throw new StartError("GATEWAYS, AUTH and USAGE: with STORES=embedded there can be one of each; only GEO scales");
  const folder = resolve(env.DATA_DIR, "cluster");
  const passedOn: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && !GIVEN_AS_VALUES.has(name) && !STORE_ACCESS.test(name) && !OTHER_TLS.test(name))
      passedOn[name] = value;
  return {
    stores: env.STORES,
    counts,
    folder,
    port: env.PORT,
    sharesPort: canReusePort && env.PORT !== 0 && counts.gateway > 1,
    adminToken: env.ADMIN_TOKEN ?? secret(),
    ipHashSecret: env.IP_HASH_SECRET ?? secret(),
    signingKeysFile: resolve(env.SIGNING_KEYS_FILE ?? join(folder, "signing-keys.json")),
    internalTlsFolder: env.INTERNAL_TLS === "on" ? join(folder, "internal-tls") : null,
    publicScheme: environment.TLS_CERT_FILE ? "https" : "http",
    dataDir: resolve(env.DATA_DIR),
    isRefreshed:
      (env.GEO_DATA_REFRESH === "on" && env.GEO_DATABASES === undefined) ||
      env.GEOFEED_URLS.length > 0 ||
      hasDownloads(env.DATA_DIR),
    hasConsole: env.CONSOLE === "on",
    servicesFolder: servicesFolder(environment),
    environment: passedOn,
  };
}

function secret(): string {
  return randomBytes(24).toString("base64url");
}
