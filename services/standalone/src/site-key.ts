import { readFileSync } from "node:fs";
import type { KeyAdmin } from "@geolookup/auth/keys/key-admin.ts";
import type { Plans } from "@geolookup/shared/domain/plans.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { replaceFile } from "@geolookup/shared/runtime/files/replace-file.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { z } from "zod";

const SCHEMA = z.object({ keyId: z.string(), key: z.string() });

/**
 * The key of the docs site's live demo: publishable, with all fields where a plan has them, for pages of the docs
 * site alone. It stands on the start page for everyone to read, so unlike other keys it is kept, in `file`.
 * @param options.origin of the docs site; the key's allowlist follows it.
 * @returns the key as of each call: null once the operator has revoked it, or when keys could not be changed now.
 * @throws StartError when the file is damaged.
 */
export async function openSiteKey(options: {
  file: string;
  admin: KeyAdmin;
  plans: Plans;
  origin: string;
  log: Logger;
}): Promise<() => string | null> {
  const { file, admin, origin, log } = options;
  const kept = readKept(file);
  try {
    const known = kept && lookUp(admin, kept.keyId);
    if (kept && known) {
      if (known.status === "active" && (known.origins.length !== 1 || known.origins[0] !== origin))
        await admin.setOrigins(kept.keyId, [origin], "demo");
      return whileActive(admin, kept);
    }
    const plan = planWithMost(options.plans);
    const request = { kind: "publishable", plan, label: "live demo of the docs site", origins: [origin] } as const;
    const { secret, key } = await admin.issue(request, "demo");
    const issued = { keyId: key.keyId, key: secret };
    await replaceFile(file, `${JSON.stringify(issued)}\n`);
    return whileActive(admin, issued);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    log.warn({ err: error }, "the live demo has no key: it asks without one");
    return () => null;
  }
}

type SiteKey = z.infer<typeof SCHEMA>;

/** The registry is in memory: asked with every page, so that a page after a revocation is without the key. */
function whileActive(admin: KeyAdmin, { keyId, key }: SiteKey): () => string | null {
  return () => (lookUp(admin, keyId)?.status === "active" ? key : null);
}

function readKept(file: string): SiteKey | null {
  try {
    return SCHEMA.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new StartError(`${file} cannot be read: delete it, and the live demo gets another key`);
  }
}

/** A restored or new key log may not know it. */
function lookUp(admin: KeyAdmin, keyId: string) {
  try {
    return admin.get(keyId);
  } catch (error) {
    if (error instanceof ServiceError && error.code === "not_found") return null;
    throw error;
  }
}

function planWithMost(plans: Plans): string {
  const names = [...plans.keys()];
  return names.find((name) => plans.get(name)?.fields === "paid") ?? names[0] ?? "";
}
