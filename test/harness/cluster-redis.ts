import { createClient } from "redis";

const clientOf = (port: number) => createClient({ url: `redis://127.0.0.1:${port}` });

/** Runs something on a part's Redis, past its proxies. */
export async function onRedis<Result>(
  { port }: { port: number },
  work: (client: ReturnType<typeof clientOf>) => Promise<Result>,
): Promise<Result> {
  const client = clientOf(port);
  await client.connect();
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
}
