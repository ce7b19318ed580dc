import type { Part } from "../../scripts/cluster/parts.ts";
import { secureStores } from "./secure-stores.ts";

/** The same part in a cluster whose Redis and NATS require passwords and TLS. A service gets its user's credentials. */
export function secured(part: Part): Part {
  const { nats, redis } = secureStores();
  switch (part.kind) {
    case "redis":
      return { ...part, args: [...part.args, ...redis.argsFor(part.port)] };
    case "nats":
      return {
        ...part,
        args: part.args.map((arg) => (arg.endsWith(".conf") ? nats.config : arg)),
        environment: { ...part.environment, ...nats.environment },
      };
    case "gateway":
      return {
        ...part,
        environment: {
          ...part.environment,
          REDIS_URL: `${part.environment.REDIS_URL}`.replace("redis:", "rediss:"),
          ...redis.settings,
          ...nats.settingsOf("gateway"),
        },
      };
    case "auth":
    case "usage":
      return { ...part, environment: { ...part.environment, ...nats.settingsOf(part.kind) } };
    default:
      return part;
  }
}
