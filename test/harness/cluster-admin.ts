import type { Key__Output as WireKey } from "@geolookup/shared/generated/geolookup/auth/v1/Key.ts";
import { type KeyView, keyFromWire } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import type { Method } from "@geolookup/shared/runtime/grpc/client.ts";
import { KEY_ADMIN } from "@geolookup/shared/runtime/grpc/services.ts";
import { callService } from "../../scripts/keys/admin-client.ts";
import type { ClusterParts } from "./cluster-parts.ts";
import type { LoadKey } from "./load.ts";
import { issueLoadKey, issueLoadKeys, usedThisMonth } from "./load-keys.ts";

export interface ClusterAdmin {
  /** Issues a secret key of a plan. @throws ServiceError */
  issueKey(plan?: string): Promise<LoadKey>;
  issueKeys(count: number, plan?: string): Promise<LoadKey[]>;
  /** Adds a customer, with keys that share its quota. */
  issueCustomerKeys(customer: string, monthlyRequests: number, count: number): Promise<LoadKey[]>;
  revoke(keyId: string): Promise<KeyView>;
  setPlan(keyId: string, plan: string): Promise<KeyView>;
  setOrigins(keyId: string, origins: readonly string[]): Promise<KeyView>;
  disable(keyId: string): Promise<KeyView>;
  /** @param expiresAt RFC 3339, UTC. */
  setExpiry(keyId: string, expiresAt: string): Promise<KeyView>;
  /**
   * A key's usage this month, from one usage process.
   * @param usage its name, e.g. `usage-2`.
   */
  usedThisMonth(keyId: string, usage?: string): Promise<number>;
}

/**
 * Administers a cluster's keys over gRPC, bypassing its proxies. A process for each command would be too slow.
 * @param only the auth process to use, e.g. `auth-2`; default: any.
 */
export function clusterAdmin(cluster: ClusterParts, only?: string): ClusterAdmin {
  const nodes = only === undefined ? cluster.ofKind("auth") : [cluster.part(only)];
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const auth = { target: `ipv4:${addresses.join(",")}`, token: cluster.adminToken };
  const change = async <Request>(method: Method<Request, WireKey>, request: NoInfer<Request>) =>
    keyFromWire(await callService(auth, method, request));
  return {
    issueKey: (plan) => issueLoadKey(auth, plan),
    issueKeys: (count, plan) => issueLoadKeys(auth, count, plan),
    issueCustomerKeys: async (id, monthlyRequests, count) => {
      await callService(auth, KEY_ADMIN.AddCustomer, { id, plan: "paid", monthlyRequests });
      return await Promise.all(Array.from({ length: count }, () => issueLoadKey(auth, "paid", id)));
    },
    revoke: (keyId) => change(KEY_ADMIN.RevokeKey, { keyId, reason: "test" }),
    setPlan: (keyId, plan) => change(KEY_ADMIN.SetPlan, { keyId, plan }),
    setOrigins: (keyId, origins) => change(KEY_ADMIN.SetOrigins, { keyId, origins }),
    disable: (keyId) => change(KEY_ADMIN.DisableKey, { keyId, reason: "test" }),
    setExpiry: (keyId, expiresAt) => change(KEY_ADMIN.SetExpiry, { keyId, expiresAt }),
    usedThisMonth: (keyId, usage = "usage-1") =>
      usedThisMonth({ target: `127.0.0.1:${cluster.part(usage).port}`, token: cluster.adminToken }, keyId),
  };
}
