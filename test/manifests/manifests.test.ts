import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { parse } from "yaml";
import { ROOT } from "../../tools/lint/files.ts";
import { arrowProblems } from "./arrows.ts";
import { type Json, type KubernetesObject, nameOf } from "./objects.ts";
import { render } from "./render.ts";
import { schemaProblems } from "./schemas.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const ARCHITECTURE = read("docs/architecture.md");

describe("the Kubernetes manifests", () => {
  for (const overlay of readdirSync(join(ROOT, "infra/kubernetes/overlays")))
    it(`${overlay}: every object has the fields and values of its schema`, async () => {
      expect((await Promise.all(render(overlay).map(schemaProblems))).flat()).to.deep.equal([]);
    });

  for (const overlay of ["demo", "production"])
    it(`${overlay}: policies allow the arrows of docs/architecture.md, and no others`, () =>
      expect(arrowProblems(render(overlay), ARCHITECTURE)).to.deep.equal([]));

  it("have the alerts of Prometheus, and count the instances that they expect", () => {
    const { groups } = parse(read("infra/kubernetes/overlays/monitoring/prometheus-rule.yaml")).spec;
    expect(groups.slice(0, -1)).to.deep.equal(parse(read("infra/prometheus/alerts.yml")).groups);
    expect(groups.at(-1).rules[0].record).to.equal("geolookup_expected_instances");
  });

  describe("with a mistake", () => {
    let demo: KubernetesObject[];
    const find = (name: string): Json => demo.find((object) => nameOf(object) === name);
    beforeEach(() => {
      demo = render("demo");
    });
    const wrongShapes: [what: string, make: () => void, message: RegExp][] = [
      ["an unknown field", () => (find("Deployment usage").spec.minReady = 6), /spec.minReady isn't a field of apps/],
      ["a wrong type", () => (find("Deployment usage").spec.replicas = "two"), /Deployment usage: .*replicas/],
    ];
    for (const [what, make, message] of wrongShapes)
      it(`aren't valid: ${what}`, async () => {
        make();
        expect((await Promise.all(demo.map(schemaProblems))).flat().join("\n")).to.match(message);
      });

    const toRedis = {
      to: [{ podSelector: { matchLabels: { "app.kubernetes.io/component": "redis" } } }],
      ports: [{ port: 6379 }],
    };
    const wrongArrows: [what: string, make: () => void, messages: RegExp[]][] = [
      [
        "one more",
        () => (find("NetworkPolicy usage").spec.egress = [toRedis]),
        [/the client, but not the server, usage → redis:6379/, /doesn't show .*: usage → redis/],
      ],
      [
        "one less",
        () => find("NetworkPolicy geo").spec.ingress.shift(),
        [/the client, but not the server, gateway → geo:50051/],
      ],
      [
        "a port that the server doesn't have",
        () => find("NetworkPolicy auth").spec.ingress[0].ports.push({ port: 50053 }),
        [/a port that no pod has: gateway → auth:50053/],
      ],
    ];
    for (const [what, make, messages] of wrongArrows)
      it(`allow other arrows: ${what}`, () => {
        make();
        for (const message of messages) expect(arrowProblems(demo, ARCHITECTURE).join("\n")).to.match(message);
      });

    it("allow other arrows: the picture lacks one", () => {
      const others = ARCHITECTURE.replace(/\n.*--> redis.*/, "");
      expect(arrowProblems(demo, others)).to.deep.equal([
        "docs/architecture.md doesn't show what NetworkPolicies allow: gateway → redis",
      ]);
    });
  });
});
