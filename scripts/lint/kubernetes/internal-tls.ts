import { altNameOf, DEFAULT_IDENTITY_TEMPLATE, IDENTITIES } from "@geolookup/shared/runtime/tls/identities.ts";
import { pathProblems, secretFileProblems } from "./environment.ts";
import { componentOf, type Json, type KubernetesObject, nameOf, ofKind } from "./objects.ts";
import type { KnownSecrets } from "./references.ts";

/** The identity in the certificate of a component's pods. */
const IDENTITY_OF: Record<string, string> = { tools: "operator", "nats-setup": "operator" };

/** The settings for TLS between processes, which production has as comments. */
export function suggestedTlsSettings(productionSettings: string): Record<string, string> {
  const lines = [...productionSettings.matchAll(/^ *# (INTERNAL_TLS_\w+): (\S+)$/gm)];
  return Object.fromEntries(lines.map(([, name = "", value = ""]) => [name, value]));
}

/**
 * Checks TLS between processes as if it were enabled: each pod with its variables has the files that they name and its own
 * service's certificate, and cert-manager issues a certificate to each service.
 * @param workloads geolookup's own.
 * @param settings the variables.
 */
export function internalTlsProblems(
  workloads: readonly KubernetesObject[],
  objects: readonly KubernetesObject[],
  secrets: KnownSecrets,
  settings: Readonly<Record<string, string>>,
): string[] {
  if (Object.keys(settings).length !== 3) return ["production doesn't suggest the three INTERNAL_TLS_…_FILE settings"];
  const unmounted = workloads.flatMap((workload) =>
    pathProblems(workload, settings).map((problem) => `${nameOf(workload)}: ${problem}`),
  );
  const missing = secretFileProblems(workloads, withSettings(objects, settings), secrets);
  const strange = workloads.flatMap((workload) => {
    const identity = IDENTITY_OF[componentOf(workload)] ?? componentOf(workload);
    const names: string[] = (workload.spec.template.spec.volumes ?? [])
      .flatMap(({ secret }: Json) => secret?.secretName ?? [])
      .filter((name: string) => name.startsWith("internal-tls-") && name !== `internal-tls-${identity}`);
    return names.map((name) => `${nameOf(workload)}: has the certificate of another service, ${name}`);
  });
  const issued = ofKind(objects, "Certificate");
  const wrong = IDENTITIES.filter(
    (identity) =>
      !issued.some(
        ({ spec }) =>
          spec.secretName === `internal-tls-${identity}` &&
          spec.dnsNames?.some((name: string) => `DNS:${name}` === altNameOf(identity, DEFAULT_IDENTITY_TEMPLATE)),
      ),
  );
  return [
    ...unmounted,
    ...missing.filter((problem) => problem.includes("INTERNAL_TLS_")),
    ...strange,
    ...wrong.map(
      (identity) => `cert-manager doesn't issue a certificate with ${identity}'s name to internal-tls-${identity}`,
    ),
  ];
}

function withSettings(
  objects: readonly KubernetesObject[],
  settings: Readonly<Record<string, string>>,
): KubernetesObject[] {
  return objects.map((object) =>
    object.kind === "ConfigMap" && object.metadata.name === "settings"
      ? { ...object, data: { ...object.data, ...settings } }
      : object,
  );
}
