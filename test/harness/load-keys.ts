import { fetchUsage, issueKey } from "../../scripts/keys/admin-client.ts";
import type { ServiceAddress } from "../../scripts/keys/service-address.ts";
import type { LoadKey } from "./load.ts";

/** Issues a secret key to send requests with. @throws ServiceError */
export async function issueLoadKey(auth: ServiceAddress, plan = "paid", customer = ""): Promise<LoadKey> {
  const { secret, key } = await issueKey(auth, { kind: "secret", plan, customer });
  return { key: secret, keyId: key.keyId, sent: 0, served: 0 };
}

/** Issues several of them. */
export function issueLoadKeys(auth: ServiceAddress, count: number, plan?: string): Promise<LoadKey[]> {
  return Promise.all(Array.from({ length: count }, () => issueLoadKey(auth, plan)));
}

/** A key's requests this month, from one usage service. */
export async function usedThisMonth(usage: ServiceAddress, keyId: string): Promise<number> {
  return (await fetchUsage(usage, keyId, new Date().toISOString().slice(0, 7))).total;
}
