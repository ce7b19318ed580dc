import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";

/** Reads a file below the secrets folder; null if there is none. */
export type ReadSecret = (path: string) => Buffer | null;

/** Secrets with one value, under the file name that pods see in /run/secrets. */
const VALUES = [
  "admin-token",
  "backup-key",
  "ip-hash-secret",
  "nats-auth-password",
  "nats-gateway-password",
  "nats-operator-password",
  "nats-route-password",
  "nats-usage-password",
  "redis-password",
];

/** Processes with a certificate for connections inside the cluster. */
const INTERNAL_TLS = ["gateway", "auth", "geo", "usage", "portal", "operator"];

interface SecretManifest {
  apiVersion: "v1";
  kind: "Secret";
  metadata: { name: string; namespace: string; labels: Record<string, string> };
  type: string;
  /** Base64. */
  data: Record<string, string>;
}

/**
 * Turns the files that `make secrets` writes into Kubernetes Secrets, so that a cluster has the same secrets as Docker Compose.
 * @throws StartError naming every required file that is missing.
 */
export function secretManifests(namespace: string, read: ReadSecret): SecretManifest[] {
  const missing: string[] = [];
  const required = (path: string): Buffer => {
    const content = read(path);
    if (!content?.length) missing.push(path);
    return content ?? Buffer.alloc(0);
  };
  const secret = (name: string, files: Record<string, Buffer>, type = "Opaque"): SecretManifest => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace, labels: { "app.kubernetes.io/name": "geolookup" } },
    type,
    data: Object.fromEntries(Object.entries(files).map(([file, content]) => [file, content.toString("base64")])),
  });
  const certificate = (name: string, paths: { cert: string; key: string; ca?: string }): SecretManifest[] => {
    const all = [read(paths.cert), read(paths.key), paths.ca === undefined ? null : read(paths.ca)];
    if (all[0] === null && all[1] === null) return [];
    const files = { "tls.crt": required(paths.cert), "tls.key": required(paths.key) };
    const ca = paths.ca === undefined ? {} : { "ca.crt": required(paths.ca) };
    return [secret(name, { ...files, ...ca }, "kubernetes.io/tls")];
  };

  const secrets = [
    ...VALUES.map((name) => secret(name, { [name]: required(name) })),
    secret("signing-keys", { "signing-keys.json": required("signing/signing-keys.json") }),
    ...optional(read("maxmind/license-key"), (content) => secret("maxmind", { "license-key": content })),
    ...INTERNAL_TLS.flatMap((name) =>
      certificate(`internal-tls-${name}`, {
        cert: `internal-tls/${name}.pem`,
        key: `internal-tls/${name}.key`,
        ca: "internal-tls/ca.pem",
      }),
    ),
  ];
  if (missing.length > 0) throw new StartError(`missing in the secrets folder: ${missing.join(", ")}`);
  return secrets;
}

function optional<Result>(content: Buffer | null, make: (content: Buffer) => Result): Result[] {
  return content?.length ? [make(content)] : [];
}
