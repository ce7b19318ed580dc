import { PUBLIC_PORT_VARIABLES, type PublicPortConfig, publicPortConfig } from "@geolookup/gateway/config.ts";
import { GEO_DATA_VARIABLES } from "@geolookup/geo/config.ts";
import { chooseDatabases, type DatabaseChoice } from "@geolookup/geo/databases/installed-databases.ts";
import { chooseGeofeeds, type GeofeedPaths, hasDownloads } from "@geolookup/geo/geofeed/geofeed-paths.ts";
import type { AdminApiSettings } from "@geolookup/portal/admin-api/open-admin-api.ts";
import { adminApiSettings, adminToken, PORTAL_SECRETS, PORTAL_VARIABLES, siteInfo } from "@geolookup/portal/config.ts";
import { type SignInSettings, signInSettings } from "@geolookup/portal/console/sign-in-settings.ts";
import type { SiteInfo } from "@geolookup/portal/deployment/deployment-info.ts";
import { auditLog, auditRetention } from "@geolookup/shared/logs/audit/settings.ts";
import { badConfiguration, logLevel, readEnvironment, SECRETS } from "@geolookup/shared/runtime/env/env.ts";
import { findExposedSecretFiles } from "@geolookup/shared/runtime/files/secret-files.ts";
import { servicesFolder } from "@geolookup/shared/runtime/files/service-record.ts";
import { canonicalAddress, parseTrustProxy } from "@geolookup/shared/runtime/http/client-address.ts";
import { z } from "zod";

export interface StandaloneConfig {
  publicPort: PublicPortConfig;
  dataDir: string;
  /** Secret files in DATA_DIR that other users can access. */
  exposedSecretFiles?: readonly string[];
  databases: DatabaseChoice;
  geofeeds: GeofeedPaths;
  /** Whether geofeeds are downloaded, or were before, by the process that refreshes the data. */
  downloadsGeofeeds?: boolean;
  /** Whether it starts with databases that lost their places or networks. */
  acceptsLoss: boolean;
  plansFile: string | undefined;
  signingKeysFile: string | undefined;
  logLevel: string;
  /** Base URL of the API for browsers; null: derived from the docs URL, if possible. */
  apiUrl: string | null;
  /** The key of the live demo; null: create one. */
  demoKey: string | null;
  site: SiteInfo;
  /** URIs for reporting a vulnerability. */
  securityContacts: readonly string[];
  /** Whether the operator console is enabled. */
  hasConsole: boolean;
  adminApi: AdminApiSettings;
  /** How operators can sign in to it, besides tokens. */
  signIn: SignInSettings;
  /** null: a random one at every start. */
  adminToken: string | null;
  /** Whether entries of the audit trail are written to the standard output, too, and how long they are kept. */
  printsAudit: boolean;
  auditRetentionMs: number;
  /** Where commands find this user's services. */
  servicesFolder: string;
}

/** One IP address, which becomes canonical. */
const ipAddress = () =>
  z.string().transform((value, context) => {
    const address = canonicalAddress(value);
    if (address !== null) return address;
    context.addIssue({ code: "custom", message: "must be an IP address, such as 81.2.69.142" });
    return z.NEVER;
  });

/** Whether only this machine can connect to a HOST. */
function isLoopbackHost(name: string): boolean {
  const address = canonicalAddress(name);
  return address === null ? name.toLowerCase() === "localhost" : parseTrustProxy("loopback")(address);
}

/** @throws StartError naming every bad variable. */
export function readConfig(environment: NodeJS.ProcessEnv): StandaloneConfig {
  const env = readEnvironment(
    z.object({
      ...PUBLIC_PORT_VARIABLES,
      // So that `curl -H 'X-Forwarded-For: …'` on this machine returns a real place.
      TRUST_PROXY: PUBLIC_PORT_VARIABLES.TRUST_PROXY.unwrap().default("loopback"),
      DEV_ADDRESS: ipAddress().optional(),
      ...GEO_DATA_VARIABLES,
      PLANS_FILE: z.string().optional(),
      SIGNING_KEYS_FILE: z.string().optional(),
      LOG_LEVEL: logLevel(),
      ...PORTAL_VARIABLES,
      ADMIN_TOKEN: adminToken().optional(),
      AUDIT_LOG: auditLog(),
      AUDIT_RETENTION: auditRetention(),
      XDG_STATE_HOME: z.string().optional(),
    }),
    environment,
    [...PORTAL_SECRETS, ...SECRETS],
  );
  if (env.DEV_ADDRESS !== undefined && !isLoopbackHost(env.HOST))
    throw badConfiguration([
      "DEV_ADDRESS: is for development, and needs a HOST that only this machine reaches, such as 127.0.0.1",
    ]);
  return {
    publicPort: { ...publicPortConfig(env), devAddress: env.DEV_ADDRESS },
    dataDir: env.DATA_DIR,
    exposedSecretFiles: findExposedSecretFiles(environment, SECRETS),
    databases: chooseDatabases(env.GEO_DATABASES, env.DATA_DIR, env.GEO_DATA_REFRESH === "on"),
    geofeeds: chooseGeofeeds(env.GEOFEED_FILE, env.DATA_DIR),
    downloadsGeofeeds: env.GEOFEED_URLS.length > 0 || hasDownloads(env.DATA_DIR),
    acceptsLoss: env.GEO_DATA_FORCE === "on",
    plansFile: env.PLANS_FILE,
    signingKeysFile: env.SIGNING_KEYS_FILE,
    logLevel: env.LOG_LEVEL,
    apiUrl: env.API_URL ?? null,
    demoKey: env.DEMO_KEY ?? null,
    site: siteInfo(env),
    securityContacts: env.SECURITY_CONTACT,
    hasConsole: env.CONSOLE === "on",
    adminApi: adminApiSettings(env),
    signIn: signInSettings(env),
    adminToken: env.ADMIN_TOKEN ?? null,
    printsAudit: env.AUDIT_LOG === "stdout",
    auditRetentionMs: env.AUDIT_RETENTION,
    servicesFolder: servicesFolder({ XDG_STATE_HOME: env.XDG_STATE_HOME }),
  };
}
