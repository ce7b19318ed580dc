import type { KeyAdmin } from "@geolookup/auth/keys/key-admin.ts";

/** Full keys. They aren't stored, so show them now. */
export interface DemoKeys {
  publishable: string;
  secret: string;
}

/** Issues a publishable and a secret key at the first start. @returns null if there are keys already. */
export async function issueDemoKeys(admin: KeyAdmin): Promise<DemoKeys | null> {
  if ((await admin.list({ after: null, pageSize: 1 })).keys.length > 0) return null;
  const issue = async (kind: "publishable" | "secret", plan: string) =>
    (await admin.issue({ kind, plan, label: `demo ${kind} key`, origins: [] }, "demo")).secret;
  return { publishable: await issue("publishable", "free"), secret: await issue("secret", "paid") };
}
