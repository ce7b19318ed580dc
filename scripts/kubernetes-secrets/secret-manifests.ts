import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { IDENTITIES } from "@geolookup/shared/runtime/tls/identities.ts";

/** Reads a file below the secrets folder; null if it doesn't exist. */
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
  "nats-setup-password",
  "nats-usage-password",
  "redis-password",
];

interface SecretManifest {
  apiVersion: "v1";
  kind: "Secret";
  metadata: { name: string; namespace: string; labels: Record<string, string> };
  type: string;
  /** Base64. */
  data: Record<string, string>;
}

export interface SecretManifests {
  secrets: SecretManifest[];
  /** For TLS between processes. They are separate because cert-manager may issue them instead. */
  certificates: SecretManifest[];
}

/**
 * Turns the files that `./geolookup secrets` writes into Kubernetes Secrets, so that a cluster has the same secrets as Docker Compose.
 * @throws StartError naming every required file that is missing.
 */
export function secretManifests(namespace: string, read: ReadSecret): SecretManifests {
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
  const certificate = (service: string): SecretManifest[] => {
    const [ca, cert, key] = ["ca", "cert", "key"].map((name) => `internal-tls/${service}/${name}.pem`) as [
      string,
      string,
      string,
    ];
    // If the certificates are from another CA, ./geolookup secrets doesn't create one for geo-data.
    if ([ca, cert, key].every((path) => read(path) === null)) return [];
    const files = { "tls.crt": required(cert), "tls.key": required(key), "ca.crt": required(ca) };
    return [secret(`internal-tls-${service}`, files, "kubernetes.io/tls")];
  };

  const secrets = [
    ...VALUES.map((name) => secret(name, { [name]: required(name) })),
    secret("signing-keys", { "signing-keys.json": required("signing/signing-keys.json") }),
    ...optional(read("maxmind/license-key"), (content) => secret("maxmind", { "license-key": content })),
  ];
  const certificates = IDENTITIES.flatMap(certificate);
  if (missing.length > 0) throw new StartError(`missing in the secrets folder: ${missing.join(", ")}`);
  return { secrets, certificates };
}

function optional<Result>(content: Buffer | null, make: (content: Buffer) => Result): Result[] {
  return content?.length ? [make(content)] : [];
}
