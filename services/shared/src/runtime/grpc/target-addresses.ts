import { lookup } from "node:dns/promises";
import { StartError } from "../lifecycle/start-error.ts";

/**
 * Every node behind a gRPC target or a `host:port`: a name stands for all its addresses.
 * @returns `address:port` of each.
 * @throws StartError when a name is not known.
 */
export async function nodesOf(target: string): Promise<string[]> {
  const path = target.replace(/^(dns|ipv4|ipv6):(\/\/[^/]*\/)?/, "");
  const nodes = await Promise.all(path.split(",").map(addressesOf));
  return nodes.flat();
}

async function addressesOf(hostAndPort: string): Promise<string[]> {
  const [, host = "", port = ""] = /^\[?(.*?)\]?:(\d+)$/.exec(hostAndPort) ?? [];
  try {
    const found = await lookup(host, { all: true });
    return found.map(({ address, family }) => (family === 6 ? `[${address}]:${port}` : `${address}:${port}`)).sort();
  } catch (error) {
    throw new StartError(`${hostAndPort} cannot be looked up: ${(error as Error).message}`);
  }
}
