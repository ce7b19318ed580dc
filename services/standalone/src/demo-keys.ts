import type { KeyAdmin } from "@geolookup/auth/keys/key-admin.ts";
import type { Plans } from "@geolookup/shared/domain/plans.ts";

const PUBLISHABLE_PLAN = "free";
const SECRET_PLAN = "paid";

/** Full keys. They aren't stored, so show them now. */
export interface DemoKeys {
  publishable: string;
  secret: string;
}

/**
 * Issues a publishable and a secret key at the first start.
 * @returns null if there are keys already, or if the plans file has other plans than the default one.
 */
export async function issueDemoKeys(admin: Pick<KeyAdmin, "list" | "issue">, plans: Plans): Promise<DemoKeys | null> {
  if (!plans.has(PUBLISHABLE_PLAN) || !plans.has(SECRET_PLAN)) return null;
  if ((await admin.list({ after: null, pageSize: 1 })).keys.length > 0) return null;
  const issue = async (kind: "publishable" | "secret", plan: string) =>
    (await admin.issue({ kind, plan, label: `demo ${kind} key`, origins: [] }, "demo")).secret;
  return { publishable: await issue("publishable", PUBLISHABLE_PLAN), secret: await issue("secret", SECRET_PLAN) };
}
