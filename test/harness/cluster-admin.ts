import { type KeyView, keyFromWire } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { callKeyAdmin, fetchUsage } from "../../scripts/keys/admin-client.ts";
import type { ClusterParts } from "./cluster-parts.ts";
import type { LoadKey } from "./load.ts";

export interface ClusterAdmin {
  /** Issues a secret key of a plan. @throws ServiceError */
  issueKey(plan?: string): Promise<LoadKey>;
  issueKeys(count: number, plan?: string): Promise<LoadKey[]>;
  revoke(keyId: string): Promise<KeyView>;
  setPlan(keyId: string, plan: string): Promise<KeyView>;
  setOrigins(keyId: string, origins: readonly string[]): Promise<KeyView>;
  /**
   * What one usage process says a key used this month.
   * @param usage its name, e.g. `usage-2`.
   */
  usedThisMonth(keyId: string, usage?: string): Promise<number>;
}

/** Administers a cluster's keys over gRPC, past its proxies: a process for each command would cost the faults' tests their time. */
export function clusterAdmin(cluster: ClusterParts): ClusterAdmin {
  const addresses = cluster.ofKind("auth").map(({ port }) => `127.0.0.1:${port}`);
  const auth = { target: `ipv4:${addresses.join(",")}`, token: cluster.adminToken };
  const change = async (method: string, request: object) =>
    keyFromWire(await callKeyAdmin<Partial<KeyView>>(auth, method, request));
  const issueKey = async (plan = "paid"): Promise<LoadKey> => {
    const request = { kind: "SECRET", plan, label: "", origins: [] };
    const { secret, key } = await callKeyAdmin<{ secret: string; key: KeyView }>(auth, "issueKey", request);
    return { key: secret, keyId: key.keyId, sent: 0, answered: 0 };
  };
  return {
    issueKey,
    issueKeys: (count, plan) => Promise.all(Array.from({ length: count }, () => issueKey(plan))),
    revoke: (keyId) => change("revokeKey", { keyId, reason: "test" }),
    setPlan: (keyId, plan) => change("setPlan", { keyId, plan }),
    setOrigins: (keyId, origins) => change("setOrigins", { keyId, origins }),
    async usedThisMonth(keyId, usage = "usage-1") {
      const address = { target: `127.0.0.1:${cluster.part(usage).port}`, token: cluster.adminToken };
      return (await fetchUsage(address, keyId, new Date().toISOString().slice(0, 7))).total;
    },
  };
}
