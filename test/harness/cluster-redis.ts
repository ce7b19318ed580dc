import { createClient } from "@redis/client";
import type { ClusterPart } from "./cluster-part.ts";
import { secureStores } from "./secure-stores.ts";

type RedisPart = Pick<ClusterPart, "port" | "isSecure">;

/** The client that this file opens. */
export type RedisClient = ReturnType<typeof clientOf>;

function clientOf({ port, isSecure }: RedisPart) {
  if (!isSecure) return createClient({ url: `redis://127.0.0.1:${port}` });
  const { password, tls } = secureStores().redis;
  return createClient({ url: `rediss://127.0.0.1:${port}`, password, socket: { tls: true, ...tls() } });
}

/** Runs commands on a part's Redis, bypassing its proxies. */
export async function onRedis<Result>(
  part: RedisPart,
  work: (client: RedisClient) => Promise<Result>,
): Promise<Result> {
  const client = clientOf(part);
  await client.connect();
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
}
