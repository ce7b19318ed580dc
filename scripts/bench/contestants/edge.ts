import { existsSync } from "node:fs";
import { join } from "node:path";
import { FEW_KEYS, type Site, type Testbed } from "./contestant.ts";
import { NGINX, startNginxProcess } from "./nginx-process.ts";
import { startStandalone } from "./standalone.ts";

const REQUESTS = { path: "/", keys: [] };
const BEHIND_NGINX = "edge-behind-nginx";

/**
 * The edge port of a standalone process: called directly, and behind nginx, which calls it for each request and returns its
 * headers.
 * @param note called if nginx is missing.
 */
export async function startEdge(testbed: Testbed, wantsNginx: boolean, note: (line: string) => void): Promise<Site> {
  await using opened = new AsyncDisposableStack();
  const { edgePort, pid } = opened.use(await startStandalone(testbed, "edge", FEW_KEYS, { EDGE_PORT: "0" }));
  const contestants: Site["contestants"] = [{ name: "edge", port: edgePort, pids: [pid], requests: REQUESTS }];
  if (wantsNginx && existsSync(NGINX)) {
    const nginx = opened.use(
      await startNginxProcess(join(testbed.folder, BEHIND_NGINX), (port) => httpBlock(port, edgePort)),
    );
    contestants.push({ name: BEHIND_NGINX, port: nginx.port, pids: [pid, ...nginx.pids], requests: REQUESTS });
  } else if (wantsNginx) note(`${BEHIND_NGINX} is skipped: ${NGINX} missing; on Debian: apt-get install nginx`);
  const held = opened.move();
  return { contestants, [Symbol.asyncDispose]: () => held.disposeAsync() };
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
