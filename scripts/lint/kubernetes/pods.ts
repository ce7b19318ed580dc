import {
  componentOf,
  type Json,
  type KubernetesObject,
  nameOf,
  ofKind,
  selectedComponents,
  workloadsOf,
} from "./objects.ts";

/** Started by the operator's commands, and not a service: no probes, no budget, no spreading. */
const ON_DEMAND = ["tools", "nats-setup"];
/** Services whose clients take a while to notice that a pod is ending. */
const NEEDS_PRE_STOP = ["gateway", "auth", "geo", "usage", "portal"];
const SPREAD_OVER = ["kubernetes.io/hostname", "topology.kubernetes.io/zone"];
/** Have at most one pod, so they need no spreading. */
const SINGLE = ["geo-data", "redis"];
const PROBES = ["startupProbe", "readinessProbe", "livenessProbe"] as const;

/**
 * Checks what every pod has: probes, budgets, spreading, resources, time to stop, and Pod Security "restricted".
 * @param closeTimeoutMs how long a service may take to close after SIGTERM.
 * @param opsPaths paths that the ops port serves.
 */
export function podProblems(
  objects: readonly KubernetesObject[],
  { closeTimeoutMs, opsPaths }: { closeTimeoutMs: number; opsPaths: readonly string[] },
): string[] {
  const budgets = new Set(
    ofKind(objects, "PodDisruptionBudget").flatMap(({ spec }) => selectedComponents(spec.selector)),
  );
  return workloadsOf(objects).flatMap((workload) => {
    const component = componentOf(workload);
    const pod = workload.spec.template?.spec ?? {};
    const containers: Json[] = [...(pod.containers ?? []), ...(pod.initContainers ?? [])];
    const isService = !ON_DEMAND.includes(component);
    return [
      ...securityProblems(pod, containers),
      ...containers.flatMap((container) => resourceProblems(container)),
      ...(isService ? containers.flatMap((container) => probeProblems(container, opsPaths)) : []),
      ...(isService && !budgets.has(component) ? ["has no PodDisruptionBudget"] : []),
      ...(isService && !SINGLE.includes(component) ? spreadProblems(pod, component) : []),
      ...(NEEDS_PRE_STOP.includes(component) ? stopProblems(pod, closeTimeoutMs) : []),
    ].map((problem) => `${nameOf(workload)}: ${problem}`);
  });
}

/** https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted, and no service account token. */
function securityProblems(pod: Json, containers: readonly Json[]): string[] {
  const forPod: [string, boolean][] = [
    ["automountServiceAccountToken must be false", pod.automountServiceAccountToken === false],
    ["enableServiceLinks must be false", pod.enableServiceLinks === false],
    ["runAsNonRoot must be true", pod.securityContext?.runAsNonRoot === true],
    ["runAsUser must not be 0", pod.securityContext?.runAsUser > 0],
    ["seccompProfile must be RuntimeDefault", pod.securityContext?.seccompProfile?.type === "RuntimeDefault"],
    ["must not use the node's namespaces", !pod.hostNetwork && !pod.hostPID && !pod.hostIPC],
    ["must not mount folders of the node", !pod.volumes?.some(({ hostPath }: Json) => hostPath)],
  ];
  const forContainers = containers.flatMap(({ name, securityContext = {}, ports = [] }): [string, boolean][] => [
    [`${name}: allowPrivilegeEscalation must be false`, securityContext.allowPrivilegeEscalation === false],
    [`${name}: readOnlyRootFilesystem must be true`, securityContext.readOnlyRootFilesystem === true],
    [`${name}: must drop all capabilities`, securityContext.capabilities?.drop?.includes("ALL") === true],
    [`${name}: must not add capabilities`, !securityContext.capabilities?.add],
    [`${name}: must not be privileged`, !securityContext.privileged],
    [`${name}: must not run as root`, securityContext.runAsUser !== 0 && securityContext.runAsNonRoot !== false],
    [`${name}: must not use ports of the node`, !ports.some(({ hostPort }: Json) => hostPort)],
  ]);
  return [...forPod, ...forContainers].filter(([, holds]) => !holds).map(([problem]) => problem);
}

function resourceProblems({ name, resources }: Json): string[] {
  const needed = ["requests.cpu", "requests.memory", "limits.memory"];
  return needed
    .filter((path) => path.split(".").reduce((node: Json, field) => node?.[field], resources) === undefined)
    .map((path) => `${name}: has no resources.${path}`);
}

function probeProblems(container: Json, opsPaths: readonly string[]): string[] {
  const missing = PROBES.filter((probe) => !container[probe]).map((probe) => `${container.name}: has no ${probe}`);
  const ports = new Set((container.ports ?? []).map(({ name }: Json) => name));
  const wrong = PROBES.flatMap((probe) => {
    const { httpGet, tcpSocket } = container[probe] ?? {};
    const port = (httpGet ?? tcpSocket)?.port;
    const problems = port === undefined || ports.has(port) ? [] : [`${probe} uses port ${port}, which it doesn't have`];
    if (httpGet && !opsPaths.includes(httpGet.path))
      problems.push(`${probe} uses ${httpGet.path}, which no ops port serves`);
    // A pod that waits for a dependency, such as NATS, isn't ready. It must not be restarted for that.
    if (probe !== "readinessProbe" && httpGet?.path === "/readyz") problems.push(`${probe} must not use /readyz`);
    if (probe === "readinessProbe" && httpGet && httpGet.path !== "/readyz") problems.push(`${probe} must use /readyz`);
    return problems.map((problem) => `${container.name}: ${problem}`);
  });
  return [...missing, ...wrong];
}

function spreadProblems(pod: Json, component: string): string[] {
  return SPREAD_OVER.filter(
    (key) =>
      !pod.topologySpreadConstraints?.some(
        (constraint: Json) =>
          constraint.topologyKey === key && selectedComponents(constraint.labelSelector)?.includes(component),
      ),
  ).map((key) => `isn't spread over ${key}`);
}

function stopProblems(pod: Json, closeTimeoutMs: number): string[] {
  const command: string[] = pod.containers[0].lifecycle?.preStop?.exec?.command ?? [];
  const waitMs = Number(
    /setTimeout\(\(\) => \{\}, ([\d_]+)\)/.exec(command.at(-1) ?? "")?.[1]?.replaceAll("_", "") ?? 0,
  );
  if (waitMs === 0) return ["has no preStop that waits until it gets no more requests"];
  const neededSeconds = (waitMs + closeTimeoutMs) / 1_000;
  if ((pod.terminationGracePeriodSeconds ?? 30) > neededSeconds) return [];
  return [
    `terminationGracePeriodSeconds must be more than ${neededSeconds}: preStop, and the time that a service may take to close`,
  ];
}
