import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";

const ROOT = join(import.meta.dirname, "../..");
const SERVICES = ["gateway", "auth", "geo", "usage", "portal"];
/** What a service can connect to, by the variable that names it: `GEO_URL`, `STORE_VARIABLES` (NATS), `OPS_TARGETS`. */
const CONNECTION =
  /^ +(?:\.\.\.(?=STORE|REDIS))?(AUTH|GEO|USAGE|PORTAL|STORE|REDIS|OPS)_(?:URL|VARIABLES|TARGETS)[:,]/gm;
/** An arrow of a Mermaid flowchart, solid or dotted. */
const ARROW = /^ +([\w-]+) -[-.].*?-?[.-]-> ([\w-]+)/gm;

describe("the arrows between services", () => {
  const connections = SERVICES.flatMap((service) => {
    const config = readFileSync(join(ROOT, "services", service, "src/config.ts"), "utf8");
    return [...config.matchAll(CONNECTION)].map(
      ([, target = ""]) => `${service} -> ${target === "STORE" ? "nats" : target.toLowerCase()}`,
    );
  });

  it("docs/architecture.md: are the connections that services are configured with", () =>
    expect(arrowsOf("docs/architecture.md")).to.have.members(connections));

  it("README.md: are the same, without the ops ports", () =>
    expect(arrowsOf("README.md")).to.have.members(connections.filter((connection) => !connection.endsWith(" ops"))));
});

/** The arrows of a page's first flowchart that start at a service. */
function arrowsOf(file: string): string[] {
  const chart = /```mermaid\nflowchart.*?\n(.*?)```/s.exec(readFileSync(join(ROOT, file), "utf8"))?.[1] ?? "";
  // test/manifests compares the arrows of geo-data with Kubernetes's NetworkPolicies.
  const arrows = [...chart.matchAll(ARROW)].filter(([, from = "", to]) => SERVICES.includes(from) && to !== "geo-data");
  return arrows.map(([, from, to]) => `${from} -> ${to}`);
}
