import { execFileSync } from "node:child_process";
import { parseAllDocuments } from "yaml";
import { ROOT } from "../../tools/lint/files.ts";
import type { KubernetesObject } from "./objects.ts";

const rendered = new Map<string, KubernetesObject[]>();

/** A copy of the objects of an overlay in infra/kubernetes/overlays. @throws Error with kubectl's message. */
export function render(overlay: string): KubernetesObject[] {
  const objects = rendered.get(overlay) ?? build(overlay);
  rendered.set(overlay, objects);
  return structuredClone(objects);
}

function build(overlay: string): KubernetesObject[] {
  const folder = `infra/kubernetes/overlays/${overlay}`;
  const output = execFileSync("kubectl", ["kustomize", folder], { cwd: ROOT, encoding: "utf8", stdio: "pipe" });
  return parseAllDocuments(output).map((document) => document.toJS());
}
