import type { Environment } from "../files/secret-files.ts";

/** All settings of services and commands. A test holds the list against docs/configuration.md. */
export const SETTINGS: readonly string[] = `
ACCESS_LOG ACCURACY_HEADER ADMIN_API_HOST ADMIN_API_ON_DOCS_HOST ADMIN_API_PORT ADMIN_TOKEN ADMIN_TOKEN_FILE ALLOW_READABLE_SECRETS API_URL APP_GID APP_UID AUDIT_LOG AUDIT_RETENTION AUTH AUTH_URL
BACKUPS_DIR BACKUP_KEY_FILE BIND CHROMIUM COMPOSE_OVERRIDES COMPOSE_PROFILES COMPOSE_PROJECT_NAME CONSOLE DATA_DIR
DEMO_KEY DEMO_KEY_FILE DEV_ADDRESS DOCS_URL ECHOIP EDGE_ALLOW
EDGE_CACHE_SECONDS EDGE_DENY EDGE_EXEMPT EDGE_FIELDS EDGE_GRPC_PORT EDGE_HEADERS EDGE_HOST EDGE_PORT EDGE_PRIVATE
EDGE_TOKEN EDGE_TOKEN_FILE EDGE_UNKNOWN ENV_FILE GATEWAY GATEWAYS GEO GEOFEED_DIR GEOFEED_FILE GEOFEED_URLS
GEOLOOKUP_IMAGE GEO_DATABASES GEO_DATA_FORCE GEO_DATA_FROM GEO_DATA_REFRESH GEO_DATA_SOURCE
GEO_DATA_URL GEO_URL GRAFANA_PORT HOST HTTPS_PROXY HTTP_PROXY IMAGE_TARGET INTERNAL_TLS
INTERNAL_TLS_CA_FILE INTERNAL_TLS_CERT_FILE INTERNAL_TLS_IDENTITY INTERNAL_TLS_KEY_FILE IPV6_LIMIT_PREFIX IP_HASH_SECRET
IP_HASH_SECRET_FILE KEEP_ALIVE_SECONDS KEYLESS KEYLESS_LIMIT KUBERNETES LOG_LEVEL MAXMIND_ACCOUNT_ID MAXMIND_EDITIONS
MAXMIND_LICENSE_KEY MAXMIND_LICENSE_KEY_FILE MAX_CONNECTIONS MAX_IN_FLIGHT NATS_CA_FILE NATS_CERT_FILE
NATS_CREDS_FILE NATS_KEY_FILE NATS_PASSWORD NATS_PASSWORD_FILE NATS_REPLICAS NATS_URL NATS_URL_FILE NATS_USER
NETWORK_PREFIX NODE_IMAGE NO_PROXY
OIDC_CLIENT_ID OIDC_CLIENT_SECRET OIDC_CLIENT_SECRET_FILE OIDC_ISSUER OIDC_ROLES OPERATOR_HEADER OPERATOR_HEADER_FROM
OPERATOR_HEADER_ROLE OPERATOR_HEADER_SECRET OPERATOR_HEADER_SECRET_FILE OPS_PORT OPS_TARGETS PLANS_DIR PLANS_FILE PORT
PORTAL PORTAL_URL PROMETHEUS_PORT REDIS_CA_FILE REDIS_CERT_FILE
REDIS_KEY_FILE REDIS_PASSWORD REDIS_PASSWORD_FILE REDIS_URL REDIS_URL_FILE SECRETS_DIR SECURITY_CONTACT
SELF_SERVICE SIGNING_KEYS_FILE SITE_CONTACT SITE_NAME SITE_TERMS STORES TLS_CERT_FILE TLS_DIR TLS_KEY_FILE
TRUST_PROXY USAGE USAGE_URL XDG_STATE_HOME npm_config_registry
`
  .trim()
  .split(/\s+/);

/** Settings of earlier versions, and what to do instead. */
export const REMOVED_SETTINGS: Readonly<Record<string, string>> = {
  REDIS_LEASE: "was removed and has no effect: a gateway always asks Redis",
  DATA_DIR_SHARED: "was removed in 0.3.0 and has no effect: gateways with NATS can always share DATA_DIR",
  DRAIN_DELAY_MS: "was removed in 0.3.0 and has no effect: in Kubernetes, a gateway waits for 1.5 s",
  GEO_DATA_SERVE_PORT: "was removed in 0.3.0 and has no effect: set PORT for the geo data server",
  GEO_DATA_PINS_FILE: "was removed in 0.3.0 and has no effect: the packages are those of pinned-packages.json",
  MAXMIND_URL: "was removed in 0.3.0 and has no effect: set GEO_DATA_SOURCE=maxmind and GEO_DATA_URL",
  PUBLIC_URL: "was removed in 0.3.0 and has no effect: set API_URL, or name the URL (./geolookup smoke https://…)",
  REUSE_PORT: "was removed in 0.3.0 and has no effect: start each gateway with --shared-port",
  SMOKE_FREE_KEY: "was removed in 0.3.0 and has no effect: use ./geolookup smoke --keys FILE",
  SMOKE_KEY: "was removed in 0.3.0 and has no effect: use ./geolookup smoke --keys FILE",
  SMOKE_INSECURE: "was removed in 0.3.0 and has no effect: use ./geolookup smoke --insecure",
};

/** Only our settings begin like this. */
const PREFIXES = ["EDGE_", "GEOFEED_", "GEO_DATA", "INTERNAL_TLS", "IPV6_LIMIT", "KEYLESS", "TRUST_PROX"];

/** Settings that others also have or resemble: those are only known, and never taken for the one that was meant. */
const GENERAL =
  /^(.{1,5}|(HTTPS?|NO)_PROXY|.*_IMAGE|NETWORK_PREFIX|(APP|COMPOSE|GRAFANA|PROMETHEUS|XDG|npm)_.*|KUBERNETES)$/;

const OURS = SETTINGS.filter((name) => !GENERAL.test(name));

/**
 * Variables that npm, CI systems and Kubernetes set. Kubernetes (and Docker's links) also describe each Service, whatever its
 * name: GEO_SERVICE_HOST, GEO_PORT=tcp://….
 */
const SET_BY_OTHERS =
  /^(npm|NPM|YARN|PNPM|NODE|GITHUB|GITLAB|RUNNER|ACTIONS|CI|BUILDKITE|CIRCLE|TRAVIS|JENKINS|KUBERNETES|XDG|SSH|SSL)_|_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP|SCTP)(_|$)/;
const SERVICE_LINK = /^(tcp|udp|sctp):\/\//;

/** How many characters of a name may be wrong; of a short one, fewer. */
const MAX_MISTAKES = 2;
const MAX_MISTAKES_IF_SHORT = 1;
const SHORT = 9;

/** A variable that has no effect. */
export interface MisnamedSetting {
  name: string;
  /** Why, and which one was probably meant. */
  problem: string;
}

/** Finds variables that look like ours, but aren't: misspelled, removed, or with a prefix that only ours have. */
export function findMisnamedSettings(environment: Environment): MisnamedSetting[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    if (!value || SETTINGS.includes(name)) return [];
    const removed = REMOVED_SETTINGS[name];
    if (removed !== undefined) return [{ name, problem: removed }];
    if (SET_BY_OTHERS.test(name) || SERVICE_LINK.test(value)) return [];
    const meant = PREFIXES.some((prefix) => name.startsWith(prefix)) ? likest(name) : closest(name.toUpperCase());
    return meant === null ? [] : [{ name, problem: `isn't a setting and has no effect. Did you mean ${meant}?` }];
  });
}

/** The most similar setting; null if too many characters differ. */
function closest(name: string): string | null {
  const allowed = name.length < SHORT ? MAX_MISTAKES_IF_SHORT : MAX_MISTAKES;
  const similar = OURS.filter((setting) => Math.abs(setting.length - name.length) <= allowed);
  const found = similar
    .map((setting) => ({ setting, mistakes: distance(name, setting) }))
    .sort((one, other) => one.mistakes - other.mistakes)[0];
  return found && found.mistakes <= allowed ? found.setting : null;
}

/** The setting that begins in the same way for longest, unless another one is almost the same. */
function likest(name: string): string | null {
  const shared = (setting: string) => {
    let length = 0;
    while (length < setting.length && setting[length] === name[length]) length += 1;
    return length;
  };
  return closest(name) ?? OURS.toSorted((one, other) => shared(other) - shared(one))[0] ?? null;
}

/** The number of inserted, missing, wrong and swapped neighboring characters (optimal string alignment distance). */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] as number;
}
