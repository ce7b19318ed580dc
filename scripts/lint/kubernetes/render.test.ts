import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { parseAllDocuments } from "yaml";
import { ROOT } from "../files.ts";
import { type KubernetesObject, nameOf } from "./objects.ts";
import { render } from "./render.ts";

const OVERLAYS = "infra/kubernetes/overlays";

describe("manifests render as kubectl renders them", () => {
  for (const overlay of readdirSync(join(ROOT, OVERLAYS)))
    it(overlay, () => {
      const folder = `${OVERLAYS}/${overlay}`;
      const output = execFileSync("kubectl", ["kustomize", folder], { cwd: ROOT, encoding: "utf8", stdio: "pipe" });
      const expected = parseAllDocuments(output).map((document) => document.toJS() as KubernetesObject);
      const rendered = render(folder, (path) => readFileSync(join(ROOT, path), "utf8"));
      expect(byName(rendered)).to.deep.equal(byName(expected));
    });
});

/** Kustomize sorts objects; Kubernetes ignores the order. */
function byName(objects: readonly KubernetesObject[]): Record<string, KubernetesObject> {
  return Object.fromEntries(objects.map((object) => [nameOf(object), object]));
}
