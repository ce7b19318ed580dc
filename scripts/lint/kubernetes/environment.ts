import { SECRETS } from "@geolookup/shared/runtime/env/env.ts";
import { type Json, type KubernetesObject, nameOf, ofKind } from "./objects.ts";
import type { KnownSecrets } from "./references.ts";

/** Set by infra/Dockerfile for every image. */
const IMAGE_ENVIRONMENT = { HOST: "0.0.0.0", DATA_DIR: "/data" };

/** Variables that no manifest sets, and why. */
const UNSET: Record<string, string> = {
  HOST: "the image sets it",
  PORT: "pods have the default ports",
  OPS_PORT: "pods have the default ports",
  STORES: "cluster is the default",
  DATA_DIR: "the image sets it; gateway and geo have their own",
  DATA_DIR_SHARED: "each gateway has its own volume",
  REUSE_PORT: "each gateway has its own pod",
  EDGE_GRPC_PORT: "Envoy Gateway calls the edge port over HTTP",
  EDGE_TOKEN: "neither Envoy Gateway nor Traefik can send a token",
  EDGE_TOKEN_FILE: "neither Envoy Gateway nor Traefik can send a token",
  XDG_STATE_HOME: "commands find pods by the kubectl context",
  KUBERNETES: "for commands outside the cluster",
  ALLOW_READABLE_SECRETS: "secrets are mounted for the group only",
  GEO_DATABASES: "databases come from geo-data",
  GEO_DATA_PINS_FILE: "part of the image",
  NATS_URL_FILE: "passwords are in separate files",
  NATS_CREDS_FILE: "users have passwords",
  REDIS_URL_FILE: "passwords are in separate files",
  DEMO_KEY_FILE: "everyone may read this key",
  ADMIN_TOKEN: "comes from a file",
  IP_HASH_SECRET: "comes from a file",
  NATS_PASSWORD: "comes from a file",
  REDIS_PASSWORD: "comes from a file",
  MAXMIND_LICENSE_KEY: "comes from a file",
  SMOKE_INSECURE: "given with the command",
  SMOKE_KEY: "given with the command",
  SMOKE_FREE_KEY: "given with the command",
};

/** What a workload's container has in its environment, with the settings of the overlay. */
export function environmentOf(
  workload: KubernetesObject,
  objects: readonly KubernetesObject[],
): Record<string, string> {
  const settings = settingsOf(objects);
  const own = workload.spec.template.spec.containers[0].env.map(({ name, value, valueFrom }: Json) => [
    name,
    value ?? settings[valueFrom.configMapKeyRef?.key] ?? "",
  ]);
  return { ...IMAGE_ENVIRONMENT, ...Object.fromEntries(own) };
}

function settingsOf(objects: readonly KubernetesObject[]): Record<string, string> {
  return ofKind(objects, "ConfigMap").find(({ metadata }) => metadata.name === "settings")?.data ?? {};
}

/** Checks names: pods set the variables that their code reads and no others, and take them from the settings. */
export function variableProblems(
  workload: KubernetesObject,
  objects: readonly KubernetesObject[],
  inCode: ReadonlySet<string>,
): string[] {
  const env: Json[] = workload.spec.template.spec.containers[0].env;
  const names = env.map(({ name }) => name);
  return [
    ...names.filter((name) => !inCode.has(name)).map((name) => `sets ${name}, which its code doesn't read`),
    ...[...inCode]
      .filter((name) => !names.includes(name) && !(name in UNSET))
      .map((name) => `doesn't set ${name}, which its code reads`),
    ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `sets ${name} twice`),
    ...env
      .filter(
        ({ name, valueFrom }) =>
          valueFrom &&
          (valueFrom.configMapKeyRef?.name !== "settings" ||
            valueFrom.configMapKeyRef.key !== name ||
            !valueFrom.configMapKeyRef.optional),
      )
      .map(({ name }) => `${name} must come from the key of its name in settings, and be optional`),
    ...pathProblems(workload, environmentOf(workload, objects)),
  ].map((problem) => `${nameOf(workload)}: ${problem}`);
}

/** Settings that no pod uses: a misspelled name would be ignored. */
export function settingProblems(objects: readonly KubernetesObject[], taken: ReadonlySet<string>): string[] {
  return Object.keys(settingsOf(objects))
    .filter((name) => !taken.has(name))
    .map((name) => `ConfigMap settings: no pod uses ${name}`);
}

/** Files and folders in variables must be mounted. */
export function pathProblems(workload: KubernetesObject, environment: Readonly<Record<string, string>>): string[] {
  const mounts: string[] = workload.spec.template.spec.containers[0].volumeMounts.map(
    ({ mountPath }: Json) => mountPath,
  );
  return Object.entries(environment)
    .filter(
      ([, value]) => value.startsWith("/") && !mounts.some((mount) => value === mount || value.startsWith(`${mount}/`)),
    )
    .filter(([name, value]) => name !== "DATA_DIR" || value !== IMAGE_ENVIRONMENT.DATA_DIR)
    .map(([name, value]) => `${name} is ${value}, where nothing is mounted`);
}

/** Files in variables that a Secret provides must be among its keys, and every Secret must be used. */
export function secretFileProblems(
  workloads: readonly KubernetesObject[],
  objects: readonly KubernetesObject[],
  secrets: KnownSecrets,
): string[] {
  const used = new Set<string>();
  const problems = workloads.flatMap((workload) => {
    const { containers, volumes = [] } = workload.spec.template.spec;
    const files = containers[0].volumeMounts.flatMap(({ name, mountPath }: Json) => {
      const volume = volumes.find((each: Json) => each.name === name) ?? {};
      const names: string[] = (volume.projected?.sources ?? [volume]).flatMap(
        ({ secret }: Json) => secret?.secretName ?? secret?.name ?? [],
      );
      for (const each of names) used.add(each);
      return names.length === 0 ? [] : [{ mountPath, keys: names.flatMap((each) => secrets.get(each) ?? []) }];
    });
    return Object.entries(containers[0].env ? environmentOf(workload, objects) : {}).flatMap(([name, value]) => {
      const mount = files.find(({ mountPath }: Json) => value.startsWith(`${mountPath}/`));
      if (!mount || mount.keys.includes(value.slice(mount.mountPath.length + 1))) return [];
      return [`${nameOf(workload)}: ${name} is ${value}, which isn't in the Secret mounted there`];
    });
  });
  return [
    ...problems,
    ...[...secrets.keys()].filter((name) => !used.has(name)).map((name) => `Secret ${name}: no pod uses it`),
  ];
}

/**
 * The same environment with values in place of the files of secrets, and without the certificates' files: they exist only
 * in the cluster.
 */
export function withoutFiles(environment: Record<string, string>): Record<string, string> {
  const entries = Object.entries(environment).flatMap(([name, value]) => {
    if (/^INTERNAL_TLS_\w+_FILE$/.test(name)) return [];
    const secret = name.replace(/_FILE$/, "");
    return [name !== secret && SECRETS.includes(secret) ? [secret, "x".repeat(32)] : [name, value]];
  });
  return Object.fromEntries(entries);
}
