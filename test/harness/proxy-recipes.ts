import { globSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "../../scripts/cluster/free-port.ts";
import type { EdgePreset } from "../../services/gateway/src/edge/edge-config.ts";
import { startDebianServer } from "./debian-server.ts";
import { tempFolder } from "./temp-folder.ts";

export type ProxyName = "nginx" | "caddy" | "haproxy";
export type RecipeVariant = "enrich" | "country-rules" | "analytics";

export interface RecipeServer extends AsyncDisposable {
  /** Over IPv4 and IPv6. */
  urls: readonly [string, string];
}

/** The code block in docs/ whose first line is a comment with this file name. @throws Error if there is none. */
export function readRecipe(file: string): string {
  for (const page of globSync("docs/{production,sign-in,proxies/*}.md"))
    for (const [, block = ""] of readFileSync(page, "utf8").matchAll(/^```\w+\n(.*?)^```$/gms))
      if (/^(?:#|--) (\S+)\n/.exec(block)?.[1] === file) return block;
  throw new Error(`docs/proxies has no file ${file}`);
}

/** How a page of docs/proxies makes country rules of the recipe that enriches: what it says, what that means, and the new text. */
const COUNTRY_RULES: Readonly<
  Record<ProxyName | "envoy", readonly (readonly [says: string, find: RegExp, text: string])[]>
> = {
  nginx: [
    ["delete `location @unknown_place`", /\n {4}location @unknown_place \{[^}]*\}\n/, ""],
    ["from `proxy_connect_timeout`", / +proxy_connect_timeout[^}]*/, "LINES    "],
  ],
  caddy: [
    ["set both timeouts to `1s`", /(dial|response_header)_timeout 100ms/g, "$1_timeout 1s"],
    ["delete the second `handle_response`", /\t*#.*\n\t*handle_response \{[^}]*\}\n/, ""],
    ["all of `handle_errors`", /\n\t#[^\n]*\n\thandle_errors \{.*?\n\t\}\n/s, ""],
  ],
  haproxy: [["before `default_backend app`", /(?= {2}default_backend app)/, "LINES"]],
  envoy: [
    ["Set `failure_mode_allow: false`", /failure_mode_allow: true/, "failure_mode_allow: false"],
    ["and `timeout: 1s`", /timeout: 0\.1s/, "timeout: 1s"],
  ],
};

const FILES: Readonly<Record<ProxyName | "envoy", (variant: RecipeVariant) => string>> = {
  nginx: (variant) => `nginx-${variant}.conf`,
  caddy: (variant) => `Caddyfile-${variant}`,
  haproxy: (variant) => `haproxy-${variant}.cfg`,
  envoy: (variant) => `envoy-${variant}.yaml`,
};

/** A recipe of docs/proxies, for country rules with the changes that the page describes. @throws Error if it doesn't. */
export function readVariant(name: ProxyName | "envoy", variant: RecipeVariant): string {
  if (variant !== "country-rules") return readRecipe(FILES[name](variant));
  const page = `docs/proxies/${name}.md`;
  const enrich = readRecipe(FILES[name]("enrich"));
  return COUNTRY_RULES[name].reduce((recipe, [says, find, text]) => {
    if (!readFileSync(page, "utf8").includes(says)) throw new Error(`${page} doesn't say: ${says}`);
    const lines = text.includes("LINES") ? readRecipe(FILES[name](variant)) : "";
    const changed = recipe.replace(find, text.replace("LINES", lines));
    if (changed === recipe) throw new Error(`${page}: the recipe has nothing to ${says}`);
    return changed;
  }, enrich);
}

/** Adjacent lines that name `X-Geo-…` headers. */
const GROUP_OF_NAMES = /(?:^.*x(?:[-_]|\[-_\])geo.*\n)+/gim;

/**
 * Changes a recipe to Cloudflare's names, as docs/proxies/cloudflare-headers.md says: replaces each group of lines with the
 * corresponding group in a code block.
 * @throws Error if the numbers of groups differ.
 */
function withCloudflareNames(recipe: string, block: string): string {
  const groups = block.replace(/^.*\n/, "").split(/(?<=\n)\n/);
  if (recipe.match(GROUP_OF_NAMES)?.length !== groups.length)
    throw new Error(`the recipe and ${block} have different numbers of groups`);
  return recipe.replaceAll(GROUP_OF_NAMES, () => groups.shift() ?? "");
}

/** What a page of docs/proxies adds to its recipe with EDGE_TOKEN, and the text that it follows. */
const TOKEN_LINES: Readonly<Record<ProxyName, readonly [before: string, separator: string, line: string]>> = {
  nginx: ["internal;\n      auth_request off;", "\n", "proxy_set_header X-Edge-Token THE_TOKEN;"],
  caddy: ["header_up X-Forwarded-For {remote_host}", "\n", "header_up X-Edge-Token THE_TOKEN"],
  haproxy: ['["x-forwarded-for"] = { visitor }', ", ", '["x-edge-token"] = { "THE_TOKEN" }'],
};

/** @throws Error if the page doesn't say to add it. */
function withToken(recipe: string, name: ProxyName, token: string): string {
  const [before, separator, line] = TOKEN_LINES[name];
  const page = `docs/proxies/${name}.md`;
  if (!readFileSync(page, "utf8").includes(`| \`${line}\` |`)) throw new Error(`${page} lacks ${line}`);
  return recipe.replace(before, `${before}${separator}${line.replace("THE_TOKEN", token)}`);
}

/** What docs/proxies/nginx.md adds to its recipe to cache locations, with the cache in a folder. */
function withCache(recipe: string, folder: string): string {
  const [zone = "", location = ""] = readRecipe("nginx-cache.conf").split("\n\n");
  return recipe
    .replace("http {", `http {\n${zone.replace("/var/cache/nginx/geolookup", join(folder, "cache"))}`)
    .replace("internal;", `internal;\n${location}`);
}

const VISITOR_IN_CADDY = `vars visitor {remote_host}
@visitor header X-Visitor *
vars @visitor visitor {header.X-Visitor}`;

/** Names of abstract Unix sockets are the same for all processes of the machine. */
function withOwnSocket(recipe: string, port: number): string {
  return recipe.replace("abns@geolookup", `abns@geolookup-${port}`);
}

/** How each recipe is changed for a test: its ports, paths, and X-Visitor, which has the visitor's address. */
const PROXIES: Readonly<
  Record<
    ProxyName,
    {
      cloudflare: string;
      /** @param folder a folder for its files. */
      adapt: (text: string, port: number, folder: string) => string;
      args: (file: string) => string[];
    }
  >
> = {
  nginx: {
    cloudflare: "nginx-cloudflare.conf",
    adapt: (text, port, folder) =>
      text
        .replace("listen 80;", `listen 127.0.0.1:${port};`)
        .replace("listen [::]:80;", `listen [::1]:${port};`)
        .replace("events {}", `pid ${folder}/nginx.pid; error_log stderr; daemon off; master_process off; events {}`)
        .replace(
          "http {",
          `http { set_real_ip_from 127.0.0.1; real_ip_header X-Visitor;
           ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}`,
        ),
    args: (file) => ["-c", file],
  },
  caddy: {
    cloudflare: "Caddyfile-cloudflare",
    adapt: (text, port) =>
      text
        .replace(":80 {", `{\nadmin off\nauto_https off\n}\nhttp://:${port} {\nbind 127.0.0.1 ::1`)
        .replace("{remote_host}", "{http.vars.visitor}")
        .replace("route {", `route {\n${VISITOR_IN_CADDY}`),
    args: (file) => ["run", "--adapter", "caddyfile", "--config", file],
  },
  haproxy: {
    cloudflare: "haproxy-cloudflare.cfg",
    adapt: (text, port, folder) =>
      withOwnSocket(text, port)
        .replace("bind :80\n", `bind 127.0.0.1:${port}\n`)
        .replace(
          "bind :::80 v6only\n",
          `bind ::1:${port} v6only\n  http-request set-src hdr(x-visitor) if { hdr(x-visitor) -m found }\n`,
        )
        .replace("/etc/haproxy/geolookup.lua", `${folder}/geolookup.lua`),

    args: (file) => ["-db", "-f", file],
  },
};

/**
 * Starts a proxy from PATH (Debian has packages of the same names) with a recipe of docs/proxies.
 * @param options.edgePort of geolookup, on loopback.
 * @param options.appPort of the application, on loopback.
 * @param options.preset the headers that the edge port sends.
 * @param options.token what it demands; null: nothing.
 * @param options.caches whether places are cached (nginx only).
 */
export async function startRecipe(
  name: ProxyName,
  variant: RecipeVariant,
  options: { edgePort: number; appPort: number; preset: EdgePreset; token: string | null; caches?: boolean },
): Promise<RecipeServer> {
  const { cloudflare, adapt, args } = PROXIES[name];
  const port = await freePort();
  const folder = tempFolder();
  const withPorts = (text: string) =>
    text
      .replaceAll("127.0.0.1:8090", `127.0.0.1:${options.edgePort}`)
      .replaceAll("127.0.0.1:3000", `127.0.0.1:${options.appPort}`);
  const change = (recipe: string, cloudflareBlock: string) => {
    const plain = withPorts(recipe);
    const text = options.token === null ? plain : withToken(plain, name, options.token);
    return options.preset === "geo" ? text : withCloudflareNames(text, readRecipe(cloudflareBlock));
  };
  const path = join(folder, "config");
  const recipe = adapt(change(readVariant(name, variant), cloudflare), port, folder);
  writeFileSync(path, options.caches ? withCache(recipe, folder) : recipe);
  if (name === "haproxy")
    writeFileSync(
      join(folder, "geolookup.lua"),
      withOwnSocket(change(readRecipe("geolookup.lua"), "geolookup-cloudflare.lua"), port),
    );
  const end = await startDebianServer({
    program: name,
    args: args(path),
    environment: { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder },
    isReady: async () => (await listens(port, "127.0.0.1")) && (await listens(port, "::1")),
  });
  return {
    urls: [`http://127.0.0.1:${port}`, `http://[::1]:${port}`],
    [Symbol.asyncDispose]: () => end("SIGKILL"),
  };
}

function listens(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
