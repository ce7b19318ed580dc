import { readDocumentedVariables } from "../../../test/docs/documented-variables.ts";
import { variablesOfService } from "../../../test/docs/variables-in-code.ts";
import { ALERTS, prometheusRule, RULE } from "../../kubernetes-alerts/prometheus-rule.ts";
import { secretManifests } from "../../kubernetes-secrets/secret-manifests.ts";
import { arrowProblems } from "./arrows.ts";
import { environmentOf, secretFileProblems, settingProblems, variableProblems } from "./environment.ts";
import { internalTlsProblems, suggestedTlsSettings } from "./internal-tls.ts";
import { componentOf, type Json, type KubernetesObject, nameOf, ofKind, workloadsOf } from "./objects.ts";
import { podProblems } from "./pods.ts";
import { referenceProblems } from "./references.ts";
import { type ReadText, render } from "./render.ts";
import { schemaProblems } from "./schemas.ts";
import { configProblems, SERVICES } from "./service-config.ts";

const OVERLAYS = "infra/kubernetes/overlays";
const COMPLETE = ["demo", "production"];
/** Each is added to a complete one. */
const OPTIONAL = ["ingress", "gateway-api", "monitoring", "cert-manager", "edge", "edge-envoy-gateway", "edge-traefik"];

/** Pods of the image with the commands, and the commands that they run. */
const COMMANDS: Record<string, readonly string[]> = {
  "geo-data": ["geo-data"],
  "nats-setup": ["nats-setup"],
  tools: ["keys", "doctor", "backup", "restore", "smoke", "usage-verify", "rotate-signing-key"],
};

/**
 * Checks the manifests in infra/kubernetes against the schemas of Kubernetes and against the code.
 * @param read reads a file of the repository.
 * @param overlays those that are complete on their own.
 * @returns what is wrong, one line each.
 */
export async function findProblems(read: ReadText, overlays: readonly string[] = COMPLETE): Promise<string[]> {
  const problems: string[] = [];
  for (const overlay of overlays) {
    const found = await problemsOf(`${OVERLAYS}/${overlay}`, read);
    problems.push(...found.map((problem) => `${overlay}: ${problem}`));
  }
  if (read(RULE) !== prometheusRule(read(ALERTS)))
    problems.push(`${RULE} is out of date: run "npm run kubernetes-alerts"`);
  return problems;
}

async function problemsOf(folder: string, read: ReadText): Promise<string[]> {
  let objects: KubernetesObject[];
  let all: KubernetesObject[];
  try {
    objects = render(folder, read);
    all = [...objects, ...OPTIONAL.flatMap((name) => render(`${OVERLAYS}/${name}`, read))];
  } catch (error) {
    return [(error as Error).message];
  }
  const schemas = (await Promise.all(all.map(schemaProblems))).flat();
  // The other checks rely on the shape.
  if (schemas.length > 0) return schemas;
  const secrets = knownSecrets(all);
  const own = workloadsOf(objects).filter((workload) => componentOf(workload) in { ...SERVICES, ...COMMANDS });
  const variables = await Promise.all(
    own.map(async (workload) => variableProblems(workload, objects, await variablesOf(componentOf(workload)))),
  );
  const taken = new Set(
    own.flatMap((workload) => workload.spec.template.spec.containers[0].env.map(({ name }: Json) => name)),
  );
  return [
    ...podProblems(objects, codeFacts(read)),
    ...referenceProblems(all, secrets),
    ...variables.flat(),
    ...settingProblems(objects, taken),
    ...(folder.endsWith("demo") ? secretFileProblems(workloadsOf(objects), objects, secrets) : []),
    ...internalTlsProblems(own, all, secrets, suggestedTlsSettings(read(`${OVERLAYS}/production/settings.yaml`))),
    ...own.flatMap((workload) => configProblems(workload, objects)),
    ...balancingProblems(own, objects),
    ...imageProblems(objects, read("infra/images.env")),
    ...arrowProblems(objects, read("docs/architecture.md")),
  ];
}

/** What the manifests rely on in the code. */
function codeFacts(read: ReadText) {
  const timeout =
    /CLOSE_TIMEOUT_MS = ([\d_]+)/.exec(read("services/shared/src/runtime/service/lifecycle.ts"))?.[1] ?? "";
  const paths = [...read("services/shared/src/runtime/http/ops-server.ts").matchAll(/case "(\/\w+)":/g)];
  return { closeTimeoutMs: Number(timeout.replaceAll("_", "")), opsPaths: paths.map(([, path = ""]) => path) };
}

/** What `./geolookup kubernetes secrets` writes when everything is there, and what cert-manager and the operator add. */
function knownSecrets(objects: readonly KubernetesObject[]): Map<string, string[]> {
  const { secrets, certificates } = secretManifests("geolookup", () => Buffer.from("x"));
  const written = [...secrets, ...certificates].map(({ metadata, data }): [string, string[]] => [
    metadata.name,
    Object.keys(data),
  ]);
  const issued = objects
    .filter(({ kind, spec }) => kind === "Certificate" && !spec.isCA)
    .map(({ spec }) => spec.secretName);
  const missing = issued.filter((name) => !written.some(([other]) => other === name));
  if (missing.length > 0) throw new Error(`./geolookup kubernetes secrets doesn't know ${missing.join(", ")}`);
  return new Map([...written, ["gateway-tls", ["tls.crt", "tls.key"]]]);
}

async function variablesOf(component: string): Promise<Set<string>> {
  const commands = COMMANDS[component];
  if (!commands) return variablesOfService(component);
  const rows = readDocumentedVariables().filter(({ readers }) => readers.some((reader) => commands.includes(reader)));
  return new Set([...rows.flatMap(({ names }) => names), "LOG_LEVEL"]);
}

/** gRPC clients choose among the addresses of all pods, which only a headless Service has. */
function balancingProblems(workloads: readonly KubernetesObject[], objects: readonly KubernetesObject[]): string[] {
  const targets = workloads.flatMap((workload) => Object.values(environmentOf(workload, objects)));
  const names = new Set(targets.flatMap((value) => /^dns:\/\/\/(.+):\d+$/.exec(value)?.[1] ?? []));
  return ofKind(objects, "Service")
    .filter(({ metadata, spec }) => names.has(metadata.name) && spec.clusterIP !== "None")
    .map((service) => `${nameOf(service)}: must be headless, since it's a gRPC target`);
}

/** Images of others are those of infra/images.env. */
function imageProblems(objects: readonly KubernetesObject[], list: string): string[] {
  const known = [...list.matchAll(/^\w+_IMAGE=([^@\n]+)/gm)].map(([, image]) => image);
  return workloadsOf(objects).flatMap((workload) =>
    workload.spec.template.spec.containers
      .filter(({ image }: Json) => !/(^|\/)geolookup-/.test(image) && !known.includes(image))
      .map(({ image }: Json) => `${nameOf(workload)}: ${image} isn't in infra/images.env`),
  );
}
