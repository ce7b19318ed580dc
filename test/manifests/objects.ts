/** A Kubernetes object, or a part of one, as parsed from YAML. */
// biome-ignore lint/suspicious/noExplicitAny: the schemas of Kubernetes check its shape.
export type Json = any;

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  [field: string]: Json;
}

const COMPONENT = "app.kubernetes.io/component";

/** How messages name an object: `Deployment geo`. */
export function nameOf({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata.name}`;
}

export function ofKind(objects: readonly KubernetesObject[], ...kinds: readonly string[]): KubernetesObject[] {
  return objects.filter(({ kind }) => kinds.includes(kind));
}

/** The objects that create pods. */
export function workloadsOf(objects: readonly KubernetesObject[]): KubernetesObject[] {
  return ofKind(objects, "Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob", "Pod");
}

/** The component of a workload's pods, such as `geo`. */
export function componentOf(workload: KubernetesObject): string {
  return workload.spec.template?.metadata?.labels?.[COMPONENT] ?? "";
}

/** The components that a label selector selects; null: all pods. */
export function selectedComponents(selector: Json): string[] | null {
  const label = selector?.matchLabels?.[COMPONENT] ?? selector?.[COMPONENT];
  if (label !== undefined) return [label];
  const expression = selector?.matchExpressions?.find(({ key }: Json) => key === COMPONENT);
  return expression?.operator === "In" ? expression.values : null;
}
