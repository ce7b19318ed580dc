import { lookup } from "node:dns/promises";
import { parseGrpcTarget } from "../env/addresses.ts";
import { StartError } from "../lifecycle/start-error.ts";

/**
 * Resolves a gRPC target or `host:port` to all its nodes.
 * @returns `address:port` of each.
 * @throws StartError when a name doesn't resolve.
 */
export async function nodesOf(target: string): Promise<string[]> {
  const nodes = await Promise.all(parseGrpcTarget(target).path.split(",").map(addressesOf));
  return nodes.flat();
}

async function addressesOf(hostAndPort: string): Promise<string[]> {
  const [, host = "", port = ""] = /^\[?(.*?)\]?:(\d+)$/.exec(hostAndPort) ?? [];
  try {
    const found = await lookup(host, { all: true });
    return found.map(({ address, family }) => (family === 6 ? `[${address}]:${port}` : `${address}:${port}`)).sort();
  } catch (error) {
    throw new StartError(`cannot resolve ${hostAndPort}: ${(error as Error).message}`);
  }
}
