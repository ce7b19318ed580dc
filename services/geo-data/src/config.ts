import { GEO_DATA_VARIABLES } from "@geolookup/geo/config.ts";
import { chooseDatabases, geoDataFolder } from "@geolookup/geo/databases/installed-databases.ts";
import { maxmindNetwork, maxmindPlace } from "@geolookup/geo/schema/maxmind.ts";
import { commaSeparated, httpUrl, logLevel, readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { z } from "zod";
import type { MaxmindAccount } from "./sources/maxmind/maxmind-downloads.ts";
import { registryOf } from "./sources/npm/registry.ts";

/** The values of GEO_DATA_SOURCE. */
const SOURCES = ["auto", "dbip", "sapics", "npm", "maxmind"] as const;

const MAXMIND_URL = "https://download.maxmind.com";

const FOLDER = z.object({ DATA_DIR: z.string().default("data") });

const SCHEMA = z.object({
  MAXMIND_ACCOUNT_ID: z
    .string()
    .regex(/^\d{1,12}$/, "must be the number that MaxMind shows as your account ID")
    .optional(),
  MAXMIND_LICENSE_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{6,128}$/, "must be a license key as MaxMind shows it")
    .optional(),
  MAXMIND_EDITIONS: commaSeparated()
    .refine((editions) => editions.length > 0, "must name at least one edition")
    .refine(
      (editions) => editions.every(isReadable),
      "must be editions of MaxMind's City, Country, Enterprise, ASN or ISP, such as GeoIP2-City",
    )
    .default(["GeoLite2-City", "GeoLite2-ASN"]),
  GEO_DATA_SOURCE: z.enum(SOURCES, `must be one of ${SOURCES.join(", ")}`).default("auto"),
  /** Whether newer data is installed automatically. */
  GEO_DATA_REFRESH: z.enum(["on", "off"], "must be on or off").default("on"),
  /** A mirror of the publisher's server. */
  GEO_DATA_URL: httpUrl().optional(),
});

/** The folder of the geo data, the only setting that a rollback needs. */
export function readFolder(environment: Readonly<Record<string, string | undefined>>): string {
  return geoDataFolder(readEnvironment(FOLDER, environment).DATA_DIR);
}

export type Config = ReturnType<typeof readConfig>;

/**
 * Settings for fetching geo data.
 * @throws StartError naming every bad variable; the license key is never shown.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>) {
  const env = readEnvironment(SCHEMA, environment, ["MAXMIND_LICENSE_KEY"]);
  const { MAXMIND_ACCOUNT_ID: accountId, MAXMIND_LICENSE_KEY: licenseKey } = env;
  if ((accountId === undefined) !== (licenseKey === undefined))
    throw new StartError(
      "bad configuration:\n  MAXMIND_ACCOUNT_ID and MAXMIND_LICENSE_KEY (or MAXMIND_LICENSE_KEY_FILE) belong together: set both, or neither",
    );
  const { GEO_DATA_SOURCE: source, GEO_DATA_URL: mirror } = env;
  if (mirror !== undefined && source === "auto")
    throw new StartError(
      "bad configuration:\n  GEO_DATA_URL: is a mirror of one source; set GEO_DATA_SOURCE to dbip, sapics, npm or maxmind",
    );
  const maxmind: MaxmindAccount | null =
    accountId === undefined || licenseKey === undefined
      ? null
      : { accountId, licenseKey, editions: env.MAXMIND_EDITIONS, url: MAXMIND_URL };
  if (source === "maxmind" && maxmind === null)
    throw new StartError(
      "bad configuration:\n  GEO_DATA_SOURCE: maxmind needs an account: set MAXMIND_ACCOUNT_ID and MAXMIND_LICENSE_KEY",
    );
  return {
    source,
    /** Replaces the address of the source's publisher. */
    mirror: mirror ?? null,
    isRefreshed: env.GEO_DATA_REFRESH === "on",
    registry: registryOf(environment),
    maxmind,
  };
}

function isReadable(edition: string): boolean {
  return (
    /^[A-Za-z0-9-]+$/.test(edition) &&
    (maxmindPlace.databaseType.test(edition) || maxmindNetwork.databaseType.test(edition))
  );
}

const { DATA_DIR, GEO_DATABASES, GEO_DATA_REFRESH } = GEO_DATA_VARIABLES;
const REFRESH = z.object({
  DATA_DIR,
  GEO_DATABASES,
  GEO_DATA_REFRESH,
  CONSOLE: z.enum(["on", "off"], "must be on or off").default("on"),
  LOG_LEVEL: logLevel(),
});

/** Settings of the refresh itself; each run reads those of its source. @throws StartError naming every bad variable. */
export function readRefreshConfig(environment: Readonly<Record<string, string | undefined>>) {
  const env = readEnvironment(REFRESH, environment);
  return {
    // Files in GEO_DATABASES belong to the operator.
    isOn: env.GEO_DATA_REFRESH === "on" && env.GEO_DATABASES === undefined,
    /** Whether the console shows reports. */
    isReported: env.CONSOLE === "on",
    databases: chooseDatabases(env.GEO_DATABASES, env.DATA_DIR, false),
    logLevel: env.LOG_LEVEL,
  };
}
