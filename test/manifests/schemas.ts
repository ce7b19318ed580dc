import { type Json, type KubernetesObject, nameOf } from "./objects.ts";

/** The models of each API version; their validators are compiled from the OpenAPI schemas of Kubernetes and the operators. */
const MODELS: Record<string, () => Promise<object>> = {
  v1: () => import("kubernetes-models/v1"),
  "apps/v1": () => import("kubernetes-models/apps/v1"),
  "autoscaling/v2": () => import("kubernetes-models/autoscaling/v2"),
  "batch/v1": () => import("kubernetes-models/batch/v1"),
  "networking.k8s.io/v1": () => import("kubernetes-models/networking.k8s.io/v1"),
  "policy/v1": () => import("kubernetes-models/policy/v1"),
  "cert-manager.io/v1": () => import("@kubernetes-models/cert-manager/cert-manager.io/v1"),
  "gateway.networking.k8s.io/v1": () => import("@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1"),
  "gateway.networking.k8s.io/v1beta1": () => import("@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1beta1"),
  "traefik.io/v1alpha1": () => import("@kubernetes-models/traefik/traefik.io/v1alpha1"),
  "monitoring.coreos.com/v1": () => import("@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1"),
};

/** No package has the schemas of Envoy Gateway. */
const WITHOUT_SCHEMA = ["gateway.envoyproxy.io/v1alpha1"];

type Model = { prototype: { validate(): void } };

/**
 * Validates an object against the schema of its kind, and refuses fields that the schema doesn't have.
 * @returns what is wrong, one line each.
 */
export async function schemaProblems(object: KubernetesObject): Promise<string[]> {
  if (WITHOUT_SCHEMA.includes(object.apiVersion)) return [];
  const models = (await MODELS[object.apiVersion]?.()) as Record<string, Model> | undefined;
  const model = models?.[object.kind];
  if (!model) return [`${nameOf(object)}: ${object.apiVersion} has no schema in test/manifests/schemas.ts`];
  const recorded = record(object, "");
  try {
    model.prototype.validate.call(recorded.proxy);
  } catch (error) {
    return [`${nameOf(object)}: ${(error as Error).message}`];
  }
  return recorded
    .unread()
    .map((field) => `${nameOf(object)}: ${field} isn't a field of ${object.apiVersion} ${object.kind}`);
}

/**
 * The validators accept unknown fields, but read every known one. So an unknown field is one that they never read.
 */
function record(value: Json, path: string): { proxy: Json; unread: () => string[] } {
  const children = new Map<string, ReturnType<typeof record>>();
  const read = new Set<string>();
  const proxy = new Proxy(value, {
    get(target, field, receiver) {
      if (typeof field !== "string") return Reflect.get(target, field, receiver);
      if (Object.hasOwn(target, field)) read.add(field);
      const child = target[field];
      if (typeof child !== "object" || child === null) return child;
      const known =
        children.get(field) ?? record(child, Array.isArray(target) ? `${path}[${field}]` : `${path}.${field}`);
      children.set(field, known);
      return known.proxy;
    },
  });
  const unread = () => {
    if (Array.isArray(value)) return [...children.values()].flatMap((child) => child.unread());
    const own = Object.keys(value).filter((field) => !read.has(field));
    return [
      ...own.map((field) => `${path}.${field}`.slice(1)),
      ...[...children.values()].flatMap((child) => child.unread()),
    ];
  };
  return { proxy, unread };
}
