import { environmentOf } from "./environment.ts";
import { componentOf, type Json, type KubernetesObject, ofKind, selectedComponents, workloadsOf } from "./objects.ts";
import { servicePort } from "./references.ts";

/** Connections as text: `gateway>geo:50051`. `caller`, `publishers`, `prometheus` and `dns` are outside. */
type Arrows = Set<string>;

/** Variables with addresses inside the cluster, or of NATS and Redis. */
const ADDRESSES = [
  "AUTH_URL",
  "GEO_URL",
  "USAGE_URL",
  "PORTAL_URL",
  "NATS_URL",
  "REDIS_URL",
  "GEO_DATA_FROM",
  "OPS_TARGETS",
  "PUBLIC_URL",
];

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

/** The connections that the addresses in the configuration need. */
function configuredArrows(objects: readonly KubernetesObject[]): Arrows {
  const arrows = new Set(["all>dns:53"]);
  for (const workload of workloadsOf(objects)) {
    const from = componentOf(workload);
    const [container] = workload.spec.template.spec.containers;
    const environment = container.env ? environmentOf(workload, objects) : {};
    const addresses = ADDRESSES.flatMap((name) =>
      [...(environment[name] ?? "").matchAll(/([a-z0-9.-]+):(\d+)/g)].map(([, host = "", port]) => ({
        name,
        host,
        port: Number(port),
      })),
    );
    // NATS servers name each other in their command.
    const routes = [...(container.command?.join(" ") ?? "").matchAll(/@[\w$-]+\.([a-z-]+):(\d+)/g)];
    for (const [, host = "", port] of routes) addresses.push({ name: "", host, port: Number(port) });
    for (const { name, host, port } of addresses) arrows.add(`${from}>${targetOf(objects, name, host, port)}`);
    if (container.command?.includes("scripts/geo-data/main.ts")) arrows.add(`${from}>publishers:443`);
  }
  const [gateway] = ofKind(objects, "Service").filter(({ metadata }) => metadata.name === "gateway");
  if (gateway) arrows.add(`caller>${targetOf(objects, "", "gateway", gateway.spec.ports[0].port)}`);
  return arrows;
}

function targetOf(objects: readonly KubernetesObject[], variable: string, host: string, port: number): string {
  const service = ofKind(objects, "Service").find(({ metadata }) => metadata.name === host);
  if (!service)
    return variable === "NATS_URL"
      ? `nats:${port}`
      : variable === "REDIS_URL"
        ? `redis:${port}`
        : `unknown host ${host}:${port}`;
  const component = selectedComponents(service.spec.selector)?.[0];
  const workload = workloadsOf(objects).find((each) => componentOf(each) === component);
  const target = servicePort(objects, host, port)?.targetPort;
  const containerPort = workload?.spec.template.spec.containers[0].ports.find(
    ({ name }: Json) => name === target,
  )?.containerPort;
  return `${component}:${containerPort ?? `no port ${port}`}`;
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
    .filter((row) => row.includes("`make "))
    .map((row) => row.split("|")[2] ?? "");
  for (const cell of cells)
    for (const name of [...ops, "nats", "redis"])
      if (new RegExp(`\\b${name}\\b`, "i").test(cell)) edges.push(["tools", name]);
  if (cells.some((cell) => /ops port/.test(cell))) edges.push(["tools", "ops"]);
  return new Set(
    edges.flatMap(([from, to]) => (to === "ops" ? ops.map((each) => `${from}>${each}`) : [`${from}>${to}`])),
  );
}

/** Compares policies, addresses and picture; the three must have the same arrows. */
export function arrowProblems(objects: readonly KubernetesObject[], markdown: string): string[] {
  const { egress, ingress } = policyArrows(objects);
  const configured = configuredArrows(objects);
  const components = new Set(workloadsOf(objects).map(componentOf));
  const isInside = (arrow: string) => components.has(ends(arrow).from) && components.has(ends(arrow).to);
  const policies = new Set([...egress, ...[...ingress].filter((arrow) => arrow.startsWith("caller>"))]);
  // The picture has neither DNS nor connections among NATS servers.
  const drawn = (arrow: string) => arrow !== "all>dns:53" && !arrow.startsWith("nats>nats:");
  const withoutPorts = new Set([...policies].filter(drawn).map((arrow) => arrow.replace(/:.*/, "")));
  const ops = [...configured].filter((arrow) => /^portal>.*:9464$/.test(arrow)).map((arrow) => ends(arrow).to);
  const picture = pictureArrows(markdown, ops);
  return [
    ...missingFrom(
      ingress,
      [...egress].filter((arrow) => isInside(arrow) && !ingress.has(arrow.replace(/^.*>/, "caller>"))),
      "NetworkPolicies let the client, but not the server,",
    ),
    ...missingFrom(egress, [...ingress].filter(isInside), "NetworkPolicies let the server, but not the client,"),
    ...missingFrom(policies, configured, "NetworkPolicies don't allow what is configured:"),
    ...missingFrom(configured, policies, "NetworkPolicies allow what nothing is configured for:"),
    ...missingFrom(picture, withoutPorts, "docs/architecture.md doesn't show what NetworkPolicies allow:"),
    ...missingFrom(withoutPorts, picture, "docs/architecture.md shows what NetworkPolicies don't allow:"),
  ];
}

function ends(arrow: string): { from: string; to: string } {
  const [, from = "", to = ""] = /^(.*?)>(.*?)(?::.*)?$/.exec(arrow) ?? [];
  return { from, to };
}

function missingFrom(set: ReadonlySet<string>, wanted: Iterable<string>, message: string): string[] {
  return [...wanted].filter((arrow) => !set.has(arrow)).map((arrow) => `${message} ${arrow.replace(">", " → ")}`);
}
