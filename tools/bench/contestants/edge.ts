import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Contestant, Site, Standalone, Testbed } from "./contestant.ts";
import { NGINX, startNginxProcess } from "./nginx-process.ts";

const REQUESTS = { path: "/", keys: [] };

/** The edge port of a standalone process, called directly. */
export function edgeContestant({ edgePort, pid }: Standalone): Contestant {
  return { name: "edge", port: edgePort, pids: [pid], requests: REQUESTS };
}

/** The edge port behind nginx, which calls it for each request and returns its headers. */
export async function startEdgeBehindNginx({ folder }: Testbed, { edgePort, pid }: Standalone): Promise<Site> {
  const name = "edge-behind-nginx";
  const { port, pids, ...running } = await startNginxProcess(join(folder, name), (own) => httpBlock(own, edgePort));
  return { ...running, contestants: [{ name, port, pids: [pid, ...pids], requests: REQUESTS }] };
}

/** Why there can't be nginx in front of the edge port; null if there can. */
export function edgeNginxMissing(): string | null {
  return existsSync(NGINX) ? null : `${NGINX} missing; on Debian: apt-get install nginx`;
}

/** As in docs/proxies.md, without the application. nginx is behind the load generator's trusted address. */
function httpBlock(port: number, edgePort: number): string {
  return `upstream geolookup {
    server 127.0.0.1:${edgePort};
    keepalive 64;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      auth_request /.geolookup;
      auth_request_set $geo_country $upstream_http_x_geo_country;
      auth_request_set $geo_city $upstream_http_x_geo_city;
      add_header X-Geo-Country $geo_country;
      add_header X-Geo-City $geo_city;
      # In place of an application. "return" would come before auth_request.
      empty_gif;
    }
    location = /.geolookup {
      internal;
      proxy_pass http://geolookup;
      proxy_pass_request_body off;
      proxy_set_header Content-Length "";
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $http_x_forwarded_for;
    }
  }`;
}
