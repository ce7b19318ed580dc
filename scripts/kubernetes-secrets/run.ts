import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "@geolookup/shared/runtime/files/replace-file.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { IDENTITIES } from "@geolookup/shared/runtime/tls/identities.ts";
import type { CommandContext } from "../command-line.ts";

const SECRETS_SCRIPT = join(import.meta.dirname, "../compose/secrets.sh");

/** The folder is SECRETS_DIR, or secrets/. */
export async function runKubernetesSecrets(
  { environment, print }: CommandContext,
  namespace = "geolookup",
): Promise<number> {
  const folder = environment.SECRETS_DIR || "secrets";
  print(execFileSync(SECRETS_SCRIPT, { env: environment, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }));
  const read = (path: string) => readOptional(join(folder, path));
  // Only Kubernetes has several NATS servers, so only it needs a password between them.
  if (read("nats-route-password") === null)
    await replaceFile(join(folder, "nats-route-password"), `k${randomBytes(24).toString("hex")}`);
  const { secrets, certificates } = secretManifests(namespace, read);
  const output = join(folder, "kubernetes");
  await mkdir(output, { recursive: true, mode: 0o700 });
  await chmod(output, 0o700);
  for (const [name, items] of [
    ["secrets.json", secrets],
    ["internal-tls.json", certificates],
  ] as const) {
    const path = join(output, name);
    await replaceFile(path, `${JSON.stringify({ apiVersion: "v1", kind: "List", items }, null, 2)}\n`);
    await chmod(path, 0o600);
    print(`Wrote ${items.length} secrets to ${path}\n`);
  }
  return 0;
}

function readOptional(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Reads a file below the secrets folder; null if it doesn't exist. */
type ReadSecret = (path: string) => Buffer | null;

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

interface SecretManifests {
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
