import { componentOf, type Json, type KubernetesObject, ofKind, selectedComponents, workloadsOf } from "./objects.ts";

/** Connections as text: `gateway>geo:50051`. `caller`, `publishers` and `dns` are outside. */
type Arrows = ReadonlySet<string>;

/** What NetworkPolicies allow, from the clients' side and from the servers'. */
function policyArrows(objects: readonly KubernetesObject[]): { egress: Arrows; ingress: Arrows } {
  const arrows = { egress: new Set<string>(), ingress: new Set<string>() };
  for (const { metadata, spec } of ofKind(objects, "NetworkPolicy")) {
    const own = selectedComponents(spec.podSelector) ?? ["all"];
    for (const rule of spec.egress ?? [])
      for (const to of peersOf(rule.to, metadata.name))
        for (const port of portsOf(rule)) for (const from of own) arrows.egress.add(`${from}>${to}:${port}`);
    for (const rule of spec.ingress ?? [])
      for (const from of peersOf(rule.from, metadata.name))
        for (const port of portsOf(rule)) for (const to of own) arrows.ingress.add(`${from}>${to}:${port}`);
  }
  return arrows;
}

function peersOf(peers: Json[] | undefined, policy: string): string[] {
  if (peers === undefined) return ["caller"];
  return peers.flatMap(({ podSelector, namespaceSelector, ipBlock }) => {
    if (ipBlock?.cidr.startsWith("169.254.")) return ["dns"];
    // In production: the addresses of NATS and Redis.
    if (ipBlock) return [policy.startsWith("to-") ? policy.slice(3) : "publishers"];
    if (podSelector?.matchLabels?.["k8s-app"] === "kube-dns") return ["dns"];
    if (namespaceSelector) return [podSelector?.matchLabels?.["app.kubernetes.io/name"] ?? "any namespace"];
    return selectedComponents(podSelector) ?? ["any pod"];
  });
}

function portsOf({ ports }: Json): string[] {
  return ports?.map(({ port }: Json) => String(port)) ?? ["any port"];
}

/**
 * The arrows of the picture and of the table of tools in docs/architecture.md, without ports.
 * @param ops the components whose ops ports the picture means.
 */
function pictureArrows(markdown: string, ops: readonly string[]): Arrows {
  const picture = /```mermaid\nflowchart LR\n(.*?)```/s.exec(markdown)?.[1] ?? "";
  const edges = [...picture.matchAll(/^ *([\w-]+)\S* -[-.] .*? \.?-?-> *([\w-]+)/gm)].map(([, from = "", to = ""]) => [
    from,
    to,
  ]);
  const tools = /\| Tool \| Connects to \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(markdown)?.[1] ?? "";
  const cells = tools
    .split("\n")
    .filter((row) => row.includes("`./geolookup "))
    .map((row) => row.split("|")[2] ?? "");
  for (const cell of cells)
    for (const name of [...ops, "nats", "redis"])
      if (new RegExp(`\\b${name}\\b`, "i").test(cell)) edges.push(["tools", name]);
  if (cells.some((cell) => /ops port/.test(cell))) edges.push(["tools", "ops"]);
  return new Set(
    edges.flatMap(([from, to]) => (to === "ops" ? ops.map((each) => `${from}>${each}`) : [`${from}>${to}`])),
  );
}

/** Compares policies, the ports of pods and the picture: what is wrong, one line each. */
export function arrowProblems(objects: readonly KubernetesObject[], markdown: string): string[] {
  const { egress, ingress } = policyArrows(objects);
  const ports = new Map(workloadsOf(objects).map((workload) => [componentOf(workload), openPorts(workload)]));
  const isInside = (arrow: string) => ports.has(ends(arrow).from) && ports.has(ends(arrow).to);
  const policies = new Set([...egress, ...[...ingress].filter((arrow) => arrow.startsWith("caller>"))]);
  // The picture has neither DNS nor connections among NATS servers.
  const drawn = (arrow: string) => arrow !== "all>dns:53" && !arrow.startsWith("nats>nats:");
  const withoutPorts = new Set([...policies].filter(drawn).map((arrow) => arrow.replace(/:.*/, "")));
  const ops = [...policies].filter((arrow) => /^portal>.*:9464$/.test(arrow)).map((arrow) => ends(arrow).to);
  const picture = pictureArrows(markdown, ops);
  return [
    ...missingFrom(
      ingress,
      [...egress].filter((arrow) => isInside(arrow) && !ingress.has(arrow.replace(/^.*>/, "caller>"))),
      "NetworkPolicies let the client, but not the server,",
    ),
    ...missingFrom(egress, [...ingress].filter(isInside), "NetworkPolicies let the server, but not the client,"),
    ...[...ingress]
      .filter((arrow) => ports.get(ends(arrow).to)?.includes(ends(arrow).port) === false)
      .map((arrow) => `NetworkPolicies allow a port that no pod has: ${arrow.replace(">", " → ")}`),
    ...missingFrom(picture, withoutPorts, "docs/architecture.md doesn't show what NetworkPolicies allow:"),
    ...missingFrom(withoutPorts, picture, "docs/architecture.md shows what NetworkPolicies don't allow:"),
  ];
}

function openPorts(workload: KubernetesObject): number[] {
  const containers: Json[] = workload.spec.template.spec.containers;
  return containers.flatMap(({ ports = [] }) => ports.map(({ containerPort }: Json) => containerPort));
}

function ends(arrow: string): { from: string; to: string; port: number } {
  const [, from = "", to = "", port] = /^(.*?)>(.*?)(?::(.*))?$/.exec(arrow) ?? [];
  return { from, to, port: Number(port) };
}

function missingFrom(set: Arrows, wanted: Iterable<string>, message: string): string[] {
  return [...wanted].filter((arrow) => !set.has(arrow)).map((arrow) => `${message} ${arrow.replace(">", " → ")}`);
}
