import { parseKey } from "@geolookup/shared/domain/key-shape.ts";
import { grpcTarget, host } from "@geolookup/shared/runtime/env/addresses.ts";
import {
  badConfiguration,
  httpUrl,
  logLevel,
  port,
  readEnvironment,
  SECRETS,
} from "@geolookup/shared/runtime/env/env.ts";
import { KEYLESS_VARIABLES } from "@geolookup/shared/runtime/env/gateway-and-portal.ts";
import { parseOpsTargets } from "@geolookup/shared/runtime/http/ops-ports.ts";
import {
  INTERNAL_TLS_VARIABLES,
  type InternalTlsSettings,
  internalTlsSettings,
} from "@geolookup/shared/runtime/tls/settings.ts";
import { z } from "zod";
import type { AdminApiSettings } from "./admin-api/open-admin-api.ts";
import type { ConsoleChoice } from "./console/settings.ts";
import { SIGN_IN_VARIABLES, signInSettings } from "./console/sign-in-settings.ts";
import type { KeylessRules, SiteInfo } from "./deployment/deployment-info.ts";
import type { ServiceSettings } from "./deployment/services.ts";
import { contactUri, parseSecurityContacts } from "./docs/security-txt.ts";

export interface PortalConfig {
  host: string;
  port: number;
  opsPort: number;
  logLevel: string;
  /** For connections between processes. Null or absent: no TLS. */
  internalTls?: InternalTlsSettings | null;
  /** Base address of the docs site for browsers; null if not configured. */
  docsUrl: string | null;
  /** Base address of the API for browsers; null: derived from docsUrl if possible. */
  apiUrl: string | null;
  demoKey: string | null;
  /** gRPC target of the geo nodes; null: the pages don't list the loaded databases. */
  geoUrl: string | null;
  keyless: KeylessRules;
  site: SiteInfo;
  /** URIs for reporting vulnerabilities. */
  securityContacts: readonly string[];
  console: ConsoleChoice;
  adminApi: AdminApiSettings;
  /** Null: there is no admin API, and no page for customers. */
  services: ServiceSettings | null;
}

const contact = () =>
  z
    .string()
    .transform(contactUri)
    .pipe(z.url({ protocol: /^(?:https|mailto)$/, error: "must be an email address or an https: URL" }));

/** What a function reads; what it throws is the problem of the variable. */
function orProblem<Value>(read: (text: string) => Value) {
  return (text: string, context: z.RefinementCtx): Value => {
    try {
      return read(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: (error as Error).message.replace(/^OPS_TARGETS: /, "") });
      return z.NEVER;
    }
  };
}

/** The variables about the docs site, shared with standalone. */
export const PORTAL_VARIABLES = {
  API_URL: httpUrl().optional(),
  DEMO_KEY: z
    .string()
    .refine(
      (key) => parseKey(key)?.kind === "publishable",
      "must be a publishable key (geo_pk_…), because anyone can read it on the start page",
    )
    .optional(),
  SITE_NAME: z.string().trim().min(1).max(60).default("Geolocation API"),
  SITE_CONTACT: contact().optional(),
  SITE_TERMS: z.url({ protocol: /^https$/, error: "must be an https: URL" }).optional(),
  CONSOLE: z.enum(["on", "off"], "must be on or off").default("on"),
  ADMIN_API_PORT: port().optional(),
  ADMIN_API_HOST: host().default("127.0.0.1"),
  ADMIN_API_ON_DOCS_HOST: z.enum(["on", "off"], "must be on or off").default("off"),
  SELF_SERVICE: z.enum(["off", "on", "rotate"], "must be off, on or rotate").default("on"),
  ...SIGN_IN_VARIABLES,
  SECURITY_CONTACT: z.string().default("").transform(orProblem(parseSecurityContacts)),
};

/** The same token as that of auth and usage. */
export const adminToken = () => z.string().min(16, "must have at least 16 characters");

/** Never shown in errors, since someone could have set a secret key by mistake. */
export const PORTAL_SECRETS = ["DEMO_KEY"];

const VARIABLES = z.object({
  HOST: host().default("127.0.0.1"),
  PORT: port().default(8082),
  OPS_PORT: port().default(9464),
  LOG_LEVEL: logLevel(),
  ...INTERNAL_TLS_VARIABLES,
  DOCS_URL: httpUrl().optional(),
  ...PORTAL_VARIABLES,
  ...KEYLESS_VARIABLES,
  GEO_URL: grpcTarget().optional(),
  // For display only: gateways use their own setting.
  TRUST_PROXY: z.string().default("none"),
  AUTH_URL: grpcTarget().optional(),
  USAGE_URL: grpcTarget().optional(),
  ADMIN_TOKEN: adminToken().optional(),
  OPS_TARGETS: z.string().transform(orProblem(parseOpsTargets)).optional(),
});
type Values = z.output<typeof VARIABLES>;

/** @throws StartError that names every bad variable. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): PortalConfig {
  const values = readEnvironment(VARIABLES, environment, [...PORTAL_SECRETS, ...SECRETS]);
  const adminApi = adminApiSettings(values);
  const services = serviceSettings(values);
  if ((adminApi.port !== null || adminApi.onDocsHost) && services === null)
    throw badConfiguration(["ADMIN_API_PORT, ADMIN_API_ON_DOCS_HOST: need AUTH_URL, USAGE_URL and ADMIN_TOKEN"]);
  return {
    host: values.HOST,
    port: values.PORT,
    opsPort: values.OPS_PORT,
    logLevel: values.LOG_LEVEL,
    internalTls: internalTlsSettings(values),
    docsUrl: values.DOCS_URL ?? null,
    apiUrl: values.API_URL ?? null,
    demoKey: values.DEMO_KEY ?? null,
    geoUrl: values.GEO_URL ?? null,
    keyless: {
      hourlyLimit: values.KEYLESS === "on" ? values.KEYLESS_LIMIT : null,
      ipv6Prefix: values.IPV6_LIMIT_PREFIX,
    },
    // Its page needs the services.
    site: { ...siteInfo(values), ...(services === null && { selfService: "off" }) },
    securityContacts: values.SECURITY_CONTACT,
    console: consoleSettings(values, services),
    adminApi,
    services,
  };
}

type PortalValues = z.output<z.ZodObject<typeof PORTAL_VARIABLES>>;

/** What the variables say about the admin API. */
export function adminApiSettings(values: PortalValues): AdminApiSettings {
  const { ADMIN_API_PORT: port = null, ADMIN_API_HOST: host, ADMIN_API_ON_DOCS_HOST: onDocsHost } = values;
  return { port, host, onDocsHost: onDocsHost === "on" };
}

/** What the variables say about the docs site. */
export function siteInfo(values: PortalValues): SiteInfo {
  const { SITE_NAME: name, SITE_CONTACT: contact = null, SITE_TERMS: terms = null, SELF_SERVICE: selfService } = values;
  return { name, contact, terms, hasConsole: values.CONSOLE === "on", selfService };
}

function serviceSettings(values: Values): ServiceSettings | null {
  const { AUTH_URL: authUrl, USAGE_URL: usageUrl, GEO_URL: geoUrl = null, ADMIN_TOKEN: adminToken } = values;
  return authUrl && usageUrl && adminToken ? { authUrl, usageUrl, geoUrl, adminToken } : null;
}

/** Missing settings don't stop the portal, because not every deployment has a console. */
function consoleSettings(values: Values, services: ServiceSettings | null): ConsoleChoice {
  if (values.CONSOLE === "off") return "off";
  const { DOCS_URL, TRUST_PROXY: trustProxy, OPS_TARGETS: opsTargets = null } = values;
  // The data is on another machine or in another container, so there are no commands for it.
  if (DOCS_URL && services)
    return { ...services, signIn: signInSettings(values), trustProxy, opsTargets, dataCommands: null };
  const needed = ["DOCS_URL", "AUTH_URL", "USAGE_URL", "ADMIN_TOKEN"] as const;
  return { missing: needed.filter((name) => values[name] === undefined) };
}
