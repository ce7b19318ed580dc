import { type NatsLink, openNats } from "@geolookup/shared/runtime/nats/connection.ts";
import { pino } from "pino";
import type { ClusterPart } from "./cluster-part.ts";
import { secureStores } from "./secure-stores.ts";

/** A test's own link to a part's NATS as the operator, bypassing the proxies. */
export function linkToNats({ port, isSecure }: Pick<ClusterPart, "port" | "isSecure">): NatsLink {
  return openNats({
    url: `nats://127.0.0.1:${port}`,
    access: isSecure ? secureStores().nats.operatorAccess() : {},
    name: "tools",
    log: pino({ level: "silent" }),
  });
}
