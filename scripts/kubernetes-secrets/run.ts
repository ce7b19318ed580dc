import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "@geolookup/shared/runtime/files/replace-file.ts";
import type { CommandContext } from "../command-line.ts";
import { secretManifests } from "./secret-manifests.ts";

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
