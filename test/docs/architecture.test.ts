import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";

const ROOT = join(import.meta.dirname, "../..");
const SERVICES = ["gateway", "auth", "geo", "usage", "portal"];
/** What a service can connect to, by the variable that names it: `GEO_URL`, `STORE_VARIABLES` (NATS), `OPS_TARGETS`, `SIGN_IN_VARIABLES` (the issuer). */
const CONNECTION =
  /^ +(?:\.\.\.(?=STORE|REDIS|SIGN_IN))?(AUTH|GEO|USAGE|PORTAL|STORE|REDIS|OPS|SIGN_IN)_(?:URL|VARIABLES|TARGETS)[:,]/gm;
const OTHER_NAMES: Readonly<Record<string, string>> = { STORE: "nats", SIGN_IN: "issuer" };
/** An arrow of a Mermaid flowchart, solid or dotted. */
const ARROW = /^ +([\w-]+) -[-.].*?-?[.-]-> ([\w-]+)/gm;

describe("the arrows between services", () => {
  const connections = SERVICES.flatMap((service) => {
    const config = readFileSync(join(ROOT, "services", service, "src/config.ts"), "utf8");
    return [...config.matchAll(CONNECTION)].map(
      ([, target = ""]) => `${service} -> ${OTHER_NAMES[target] ?? target.toLowerCase()}`,
    );
  });

  it("docs/architecture.md: are the connections that services are configured with", () =>
    expect(arrowsOf("docs/architecture.md")).to.have.members(connections));
});

/** Code that names the field `currency`, rather than a comment about currencies. */
const NAMES_CURRENCY = String.raw`^[^*/]*(\bcurrency: |"currency"|.currency. [|])|json:"currency"`;
/** What may lack a field: sample values, and headers for proxies. */
const OPTIONAL = [
  "services/portal/src/docs/sample-places.ts",
  "services/gateway/src/edge/edge-config.ts",
  "tools/bench/contestants/node-http-server.ts",
];

it("CONTRIBUTING.md: names every file that has a list of the record's fields, at most seven", () => {
  const tracked = ["services", "packages", "scripts", "tools", "proto", "docs/api.md"];
  const excluded = [":!*.test.ts", ":!*/testing/*", ":!packages/browser/versions/*"];
  const found = execFileSync("git", ["grep", "-lE", NAMES_CURRENCY, "--", ...tracked, ...excluded], { cwd: ROOT });
  const files = found.toString().trim().split("\n");
  const [, section = ""] =
    /## Add a field to the record\n.*?\n(1\..*?)\n\n/s.exec(readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8")) ?? [];
  const named = [...section.matchAll(/`([\w/.-]+\.\w+)`/g)].map(([, file]) => file);
  expect(named).to.have.length.at.most(7);
  expect(files.filter((file) => !OPTIONAL.includes(file))).to.have.members(named);
});

/** The arrows of a page's first flowchart that start at a service. */
function arrowsOf(file: string): string[] {
  const chart = /```mermaid\nflowchart.*?\n(.*?)```/s.exec(readFileSync(join(ROOT, file), "utf8"))?.[1] ?? "";
  // test/manifests compares the arrows of geo-data with Kubernetes's NetworkPolicies.
  const arrows = [...chart.matchAll(ARROW)].filter(([, from = "", to]) => SERVICES.includes(from) && to !== "geo-data");
  return arrows.map(([, from, to]) => `${from} -> ${to}`);
}
