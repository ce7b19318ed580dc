import { readFileSync } from "node:fs";
import type { KeyAdmin } from "@geolookup/auth/keys/key-admin.ts";
import type { Plans } from "@geolookup/shared/domain/plans.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { replaceFile } from "@geolookup/shared/runtime/files/replace-file.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { z } from "zod";

const SCHEMA = z.object({ keyId: z.string(), key: z.string() });

/**
 * Opens the key of the live demo: publishable, only for pages of the docs site, with paid fields if a plan has them. The
 * start page shows it to everyone, so unlike other keys it is stored, in `file`. If the file is damaged, another key is issued.
 * @param options.origin the docs site's origin. The key's allowlist follows it.
 * @returns a function that returns the key; null if it isn't active, or keys couldn't be changed at startup.
 */
export async function openSiteKey(options: {
  file: string;
  admin: KeyAdmin;
  plans: Plans;
  origin: string;
  log: Logger;
}): Promise<() => string | null> {
  const { file, admin, origin, log } = options;
  const stored = readStored(file, log);
  try {
    const known = stored && find(admin, stored.keyId);
    if (stored && known) {
      if (known.status === "active" && (known.origins.length !== 1 || known.origins[0] !== origin))
        await admin.change(stored.keyId, { type: "ChangeOrigins", origins: [origin] }, "demo");
      return whileActive(admin, stored);
    }
    const plan = mostGenerousPlan(options.plans);
    const request = { kind: "publishable", plan, label: "live demo of the docs site", origins: [origin] } as const;
    const { secret, key } = await admin.issue(request, "demo");
    const issued = { keyId: key.keyId, key: secret };
    await replaceFile(file, `${JSON.stringify(issued)}\n`);
    return whileActive(admin, issued);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    log.warn({ err: error }, "live demo has no key; it sends requests without one");
    return () => null;
  }
}

type SiteKey = z.infer<typeof SCHEMA>;

/** Checks the registry, which is in memory, for every page, so that a revocation is effective at once. */
function whileActive(admin: KeyAdmin, { keyId, key }: SiteKey): () => string | null {
  return () => {
    const known = find(admin, keyId);
    return known && admin.details(known).status === "active" ? key : null;
  };
}

function readStored(file: string, log: Logger): SiteKey | null {
  try {
    return SCHEMA.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    log.warn({ file }, "live demo's key isn't readable; issuing another");
    return null;
  }
}

/** A restored or new key log may not have it. */
function find(admin: KeyAdmin, keyId: string) {
  try {
    return admin.get(keyId);
  } catch (error) {
    if (error instanceof ServiceError && error.code === "not_found") return null;
    throw error;
  }
}

function mostGenerousPlan(plans: Plans): string {
  const names = [...plans.keys()];
  return names.find((name) => plans.get(name)?.fields === "paid") ?? names[0] ?? "";
}

/** Full keys. They aren't stored, so show them now. */
export interface DemoKeys {
  publishable: string;
  secret: string;
}

/**
 * Issues a publishable and a secret key at the first start.
 * @returns null if there are keys already, or if the plans file lacks the plan of either.
 */
export async function issueDemoKeys(admin: Pick<KeyAdmin, "list" | "issue">, plans: Plans): Promise<DemoKeys | null> {
  if (!plans.has("free") || !plans.has("paid")) return null;
  if ((await admin.list({ after: null, pageSize: 1 })).keys.length > 0) return null;
  const issue = async (kind: "publishable" | "secret", plan: string) =>
    (await admin.issue({ kind, plan, label: `demo ${kind} key`, origins: [] }, "demo")).secret;
  return { publishable: await issue("publishable", "free"), secret: await issue("secret", "paid") };
}
