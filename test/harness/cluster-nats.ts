import type { ConnectionOptions } from "nats";
import type { ClusterPart } from "./cluster-part.ts";
import { secureStores } from "./secure-stores.ts";

/** What a client of a test's own needs to connect to a part's NATS as its operator, past its proxies. */
export function natsOptions({ port, isSecure }: Pick<ClusterPart, "port" | "isSecure">): ConnectionOptions {
  const servers = `127.0.0.1:${port}`;
  return isSecure ? { servers, ...secureStores().nats.operatorOptions() } : { servers };
}
