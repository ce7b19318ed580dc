import type { KeyAdmin } from "@geolookup/auth/keys/key-admin.ts";
import type { Plans } from "@geolookup/shared/domain/plans.ts";

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
