import type { Json } from "../../manifests/objects.ts";

/** The properties of a pod that the suites use. */
export interface Pod {
  name: string;
  uid: string;
  component: string;
  address: string;
  isReady: boolean;
  /** Whether it has been deleted and is about to end. */
  isEnding: boolean;
  /** Whether it was for a Job that is done. */
  hasEnded: boolean;
  restarts: number;
}

/** @param list what `kubectl get pods --output json` prints. */
export function podsIn(list: string): Pod[] {
  return JSON.parse(list).items.map(
    ({ metadata, status }: Json): Pod => ({
      name: metadata.name,
      uid: metadata.uid,
      component: metadata.labels?.["app.kubernetes.io/component"] ?? "",
      address: status.podIP ?? "",
      isReady: status.conditions?.some(({ type, status }: Json) => type === "Ready" && status === "True") ?? false,
      hasEnded: status.phase === "Succeeded",
      isEnding: metadata.deletionTimestamp !== undefined,
      restarts: (status.containerStatuses ?? []).reduce((sum: number, each: Json) => sum + each.restartCount, 0),
    }),
  );
}
