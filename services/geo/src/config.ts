import { join } from "node:path";
import { host } from "@geolookup/shared/runtime/env/addresses.ts";
import {
  badConfiguration,
  commaSeparated,
  httpUrl,
  logLevel,
  port,
  readEnvironment,
} from "@geolookup/shared/runtime/env/env.ts";
import { INTERNAL_TLS_VARIABLES, internalTlsSettings } from "@geolookup/shared/runtime/tls/settings.ts";
import { z } from "zod";
import { chooseDatabases } from "./databases/installed-databases.ts";
import { feedSources } from "./geofeed/feed-source.ts";
import { chooseGeofeeds } from "./geofeed/geofeed-paths.ts";

/** Which data the service uses; standalone has these variables too. */
export const GEO_DATA_VARIABLES = {
  DATA_DIR: z.string().default("data"),
  GEO_DATABASES: commaSeparated()
    .refine((paths) => paths.length > 0, "must name at least one file")
    .optional(),
  /** `on` for one start: accepts data that have lost their places or networks. */
  GEO_DATA_FORCE: z.enum(["on", "off"], "must be on or off").default("off"),
  GEOFEED_FILE: commaSeparated()
    .refine((paths) => paths.length > 0, "must name at least one file or folder")
    .optional(),
  GEOFEED_URLS: feedSources(),
  GEO_DATA_REFRESH: z.enum(["on", "off"], "must be on or off").default("on"),
};

const SCHEMA = z.object({
  HOST: host().default("127.0.0.1"),
  PORT: port().default(50_051),
  OPS_PORT: port().default(9_464),
  LOG_LEVEL: logLevel(),
  ...INTERNAL_TLS_VARIABLES,
  ...GEO_DATA_VARIABLES,
  /** A geo data server, whose data this node copies. */
  GEO_DATA_FROM: httpUrl()
    .refine(isOrigin, "must be a URL without credentials or a path, such as http://geo-data:8090")
    .optional(),
});

/** In DATA_DIR: the copy of a geo data server's files. */
const MIRROR_FOLDER = "geo-mirror";

export type GeoConfig = ReturnType<typeof readConfig>;

/**
 * The geo service's configuration.
 * @throws StartError naming every bad variable.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>) {
  const values = readEnvironment(SCHEMA, environment);
  const { DATA_DIR: dataDir, GEO_DATABASES: files, GEO_DATA_FROM: server } = values;
  if (files && server) throw badConfiguration(["GEO_DATA_FROM: can't be combined with GEO_DATABASES; set one of them"]);
  const mirror = server === undefined ? null : { server, folder: join(dataDir, MIRROR_FOLDER) };
  const isRefreshed = values.GEO_DATA_REFRESH === "on";
  return {
    host: values.HOST,
    port: values.PORT,
    opsPort: values.OPS_PORT,
    logLevel: values.LOG_LEVEL,
    internalTls: internalTlsSettings(values),
    geofeeds: chooseGeofeeds(values.GEOFEED_FILE, dataDir, mirror?.folder),
    acceptsLoss: values.GEO_DATA_FORCE === "on",
    databases: mirror ? { installedIn: mirror.folder, isRefreshed } : chooseDatabases(files, dataDir, isRefreshed),
    mirror,
  };
}

function isOrigin(url: string): boolean {
  const { username, password, pathname, search, hash } = new URL(url);
  return pathname === "/" && username + password + search + hash === "";
}
