import { StartError } from "../lifecycle/start-error.ts";

/** A service, and the ops ports of its processes. */
export interface OpsTarget {
  service: string;
  /** `host:port`; a host name stands for all its addresses. */
  target: string;
}

/** Reads `gateway=gateway:9464,auth=auth:9464`. @throws StartError */
export function parseOpsTargets(setting: string): OpsTarget[] {
  return setting.split(",").map((entry) => {
    const [, service = "", target = ""] = /^\s*([a-z-]+)=(\S+:\d+)\s*$/.exec(entry) ?? [];
    if (service === "")
      throw new StartError(
        `OPS_TARGETS: ${JSON.stringify(entry)} is invalid; it must be a comma-separated list of service=host:port, ` +
          "e.g. gateway=127.0.0.1:9464,geo=127.0.0.1:9465",
      );
    return { service, target };
  });
}
