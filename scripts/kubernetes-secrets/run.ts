import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "@geolookup/shared/runtime/files/replace-file.ts";
import { readArguments } from "../command-line.ts";
import type { CommandContext } from "../run-command.ts";
import { secretManifests } from "./secret-manifests.ts";

export const HELP = `Usage: make kubernetes-secrets ARGS="[--namespace NAME]"

Writes Kubernetes Secrets from the files in secrets/, which Docker Compose uses too: to secrets/kubernetes/secrets.json,
and the certificates for TLS between processes to secrets/kubernetes/internal-tls.json. Only you can read these files.
Missing secrets are created first. Then apply the files, the second one only if cert-manager doesn't issue certificates:

  kubectl apply -f infra/kubernetes/base/namespace.yaml -f secrets/kubernetes/secrets.json
  kubectl apply -f secrets/kubernetes/internal-tls.json

  --namespace NAME   namespace of the Secrets (default: geolookup)
`;

const SECRETS_SCRIPT = join(import.meta.dirname, "../compose/secrets.sh");

/** The folder is SECRETS_DIR, or secrets/. */
export async function runKubernetesSecrets({ args, environment, print }: CommandContext): Promise<number> {
  const { values } = readArguments(args, { namespace: { type: "string", default: "geolookup" } }, 0);
  const folder = environment.SECRETS_DIR || "secrets";
  print(execFileSync(SECRETS_SCRIPT, { env: environment, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }));
  const read = (path: string) => readOptional(join(folder, path));
  // Only Kubernetes has several NATS servers, so only it needs a password between them.
  if (read("nats-route-password") === null)
    await replaceFile(join(folder, "nats-route-password"), `k${randomBytes(24).toString("hex")}`);
  const { secrets, certificates } = secretManifests(values.namespace, read);
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
