/** The load that a deployment has to serve. */
export interface Load {
  /** Of all regions together; each has an equal share. */
  requestsPerSecond: number;
  /** The share of requests without a key, from 0 to 1. */
  keylessShare: number;
  /** The share of requests with a key that auth refuses, a different one each time, from 0 to 1. */
  unknownShare: number;
  /** Keys that are used on a day, all equally often: the worst case for every cache. */
  keys: number;
  /** Gateways that see requests of the same key; infinite: all of them, because the balancer ignores keys. */
  gatewaysPerKey: number;
  /** Open client connections, of all regions. */
  connections: number;
  /** Keys issued, changed or revoked per second. */
  changesPerSecond: number;
  /** Requests that a caller without a key sends in an hour. */
  requestsPerCaller: number;
  regions: number;
  /** How long an event takes from one region to another. */
  regionDelaySeconds: number;
  /** The share of a core that a process may use. The rest is headroom for peaks and failed processes. */
  utilization: number;
}
