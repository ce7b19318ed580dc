import { readFileSync } from "node:fs";
import { expect } from "chai";
import { readRecipe } from "../harness/proxy-recipes.ts";

/** The two groups of lines for Cloudflare's names, which Compose adds to those for `X-Geo-…`. */
const [CLOUDFLARE_READ = "", CLOUDFLARE_SET = ""] = readRecipe("nginx-cloudflare.conf")
  .replace(/^.*\n/, "")
  .split(/(?<=\n)\n/)
  .map((group) => group.replaceAll(/^/gm, "    ").trimEnd());

/**
 * What Compose changes in the recipe: names in place of addresses, which are resolved for each request, the headers of both
 * presets, and EDGE_TOKEN.
 */
const CHANGES = [
  [/^# .*\n/, ""],
  [
    / {2}upstream app \{[^}]*\}\n {2}upstream geolookup \{[^}]*\}\n/,
    "  resolver 127.0.0.11 valid=1s ipv6=off;\n  resolver_timeout 100ms;\n  client_body_temp_path /tmp/client-body;\n  proxy_temp_path /tmp/proxy;\n  fastcgi_temp_path /tmp/fastcgi;\n  uwsgi_temp_path /tmp/uwsgi;\n  scgi_temp_path /tmp/scgi;\n  include /tmp/edge-token.conf;\n",
  ],
  ["    listen [::]:80;\n", ""],
  [/(?<=auth_request_set \$x_geo_metro_code .*\n)/, `${CLOUDFLARE_READ}\n`],
  [/(?<=proxy_set_header X-Geo-Metro-Code .*\n)/, `${CLOUDFLARE_SET}\n`],
  ["proxy_pass http://app;", "set $app app:3000;\n      proxy_pass http://$app;"],
  ["proxy_pass http://geolookup/;", "set $geolookup gateway:8090;\n      proxy_pass http://$geolookup/;"],
  ["      proxy_connect_timeout", "      proxy_set_header X-Edge-Token $edge_token;\n      proxy_connect_timeout"],
] as const;

it("infra/nginx/site.conf is the recipe of docs/proxies/nginx.md, with Compose's names", () => {
  let expected = readRecipe("nginx-enrich.conf");
  for (const [find, replace] of CHANGES) {
    const changed = expected.replace(find, () => replace);
    expect(changed, `${find} is no longer in the recipe`).to.not.equal(expected);
    expected = changed;
  }
  const comments = /^(# .*\n)+|^ *# (?:Docker's DNS|The only writable folder|EDGE_TOKEN, from start\.sh)\.\n/gm;
  expect(readFileSync("infra/nginx/site.conf", "utf8").replaceAll(comments, "")).to.equal(expected);
});
