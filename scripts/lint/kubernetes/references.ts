import {
  componentOf,
  type Json,
  type KubernetesObject,
  nameOf,
  ofKind,
  selectedComponents,
  workloadsOf,
} from "./objects.ts";

/** A Secret that exists in the cluster, and its keys. */
export type KnownSecrets = ReadonlyMap<string, readonly string[]>;

/** Checks that everything that one object names exists in another: Services, ports, volumes, Secrets, ConfigMaps. */
export function referenceProblems(objects: readonly KubernetesObject[], secrets: KnownSecrets): string[] {
  const has = (kind: string, name: string) => ofKind(objects, kind).some(({ metadata }) => metadata.name === name);
  const workloads = workloadsOf(objects);
  const services = ofKind(objects, "Service").flatMap((service) => serviceProblems(service, workloads));
  const pods = workloads.flatMap((workload) =>
    volumeProblems(workload, has, secrets).map((problem) => `${nameOf(workload)}: ${problem}`),
  );
  const governing = ofKind(objects, "StatefulSet").flatMap(({ metadata, spec }) => {
    const service = ofKind(objects, "Service").find((each) => each.metadata.name === spec.serviceName);
    return service?.spec.clusterIP === "None"
      ? []
      : [`StatefulSet ${metadata.name}: ${spec.serviceName} isn't a headless Service`];
  });
  const scaled = ofKind(objects, "HorizontalPodAutoscaler").flatMap(({ metadata, spec }) => {
    const { kind, name } = spec.scaleTargetRef;
    const target = ofKind(objects, kind).find((each) => each.metadata.name === name);
    if (!target) return [`HorizontalPodAutoscaler ${metadata.name}: there is no ${kind} ${name}`];
    return target.spec.replicas === undefined
      ? []
      : [`${kind} ${name}: replicas must be unset: the HorizontalPodAutoscaler sets it`];
  });
  const routes = ofKind(objects, "Ingress", "HTTPRoute", "SecurityPolicy").flatMap((route) =>
    backendsOf(route.spec)
      .filter(({ name, port }) => !servicePort(objects, name, port))
      .map(({ name, port }) => `${nameOf(route)}: there is no Service ${name} with port ${port}`),
  );
  return [...services, ...pods, ...governing, ...scaled, ...routes];
}

/** Whether a Service has a port, by number or name. */
export function servicePort(objects: readonly KubernetesObject[], name: string, port: number | string): Json {
  const service = ofKind(objects, "Service").find(({ metadata }) => metadata.name === name);
  return service?.spec.ports.find((each: Json) => each.port === port || each.name === port);
}

function serviceProblems(service: KubernetesObject, workloads: readonly KubernetesObject[]): string[] {
  const selected = selectedComponents(service.spec.selector);
  const workload = workloads.find((each) => selected?.includes(componentOf(each)));
  if (!workload) return [`${nameOf(service)}: selects no pods`];
  const ports = workload.spec.template.spec.containers.flatMap((container: Json) => container.ports ?? []);
  return service.spec.ports
    .filter(({ targetPort }: Json) => !ports.some(({ name }: Json) => name === targetPort))
    .map(({ targetPort }: Json) => `${nameOf(service)}: ${nameOf(workload)} has no port ${targetPort}`);
}

function volumeProblems(
  workload: KubernetesObject,
  has: (kind: string, name: string) => boolean,
  secrets: KnownSecrets,
): string[] {
  const { containers, volumes = [] } = workload.spec.template.spec;
  const claims = (workload.spec.volumeClaimTemplates ?? []).map(({ metadata }: Json) => metadata.name);
  const available = new Set([...claims, ...volumes.map(({ name }: Json) => name)]);
  const mounted = new Set(
    containers.flatMap(({ volumeMounts = [] }: Json) => volumeMounts.map(({ name }: Json) => name)),
  );
  const sources: Json[] = volumes.flatMap((volume: Json) => volume.projected?.sources ?? [volume]);
  return [
    ...[...mounted].filter((name) => !available.has(name)).map((name) => `mounts ${name}, which isn't a volume`),
    ...[...available].filter((name) => !mounted.has(name)).map((name) => `doesn't mount its volume ${name}`),
    ...sources.flatMap(({ secret, configMap, persistentVolumeClaim }) => {
      const secretName = secret?.secretName ?? secret?.name;
      if (secret && !secrets.has(secretName)) return [`there is no Secret ${secretName}`];
      if (configMap && !configMap.optional && !has("ConfigMap", configMap.name))
        return [`there is no ConfigMap ${configMap.name}`];
      const claim = persistentVolumeClaim?.claimName;
      return claim && !has("PersistentVolumeClaim", claim) ? [`there is no PersistentVolumeClaim ${claim}`] : [];
    }),
    ...volumes
      .filter((volume: Json) => (volume.secret ?? volume.projected ?? { defaultMode: 288 }).defaultMode !== 288)
      .map(
        ({ name }: Json) =>
          `volume ${name}: defaultMode must be 288 (0440): services refuse secrets that everyone can read`,
      ),
  ];
}

function backendsOf(node: Json): { name: string; port: number | string }[] {
  if (typeof node !== "object" || node === null) return [];
  const refs = (node.backendRefs ?? []).map(({ name, port }: Json) => ({ name, port }));
  const service = node.backend?.service
    ? [{ name: node.backend.service.name, port: node.backend.service.port.name ?? node.backend.service.port.number }]
    : [];
  return [
    ...refs,
    ...service,
    ...Object.entries(node).flatMap(([field, value]) =>
      field === "backendRefs" || field === "backend" ? [] : backendsOf(value),
    ),
  ];
}
