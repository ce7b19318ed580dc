/** Limits of a gRPC port. A client is an IP address. */
export const GRPC_LIMITS = {
  maxConnections: 1_024,
  maxConnectionsPerAddress: 256,
  /**
   * The maximum age of a connection, because grpc-js finds new nodes only when one ends. After the grace period, it is closed, whatever
   * it is doing: after 39 s at most, since grpc-js adds up to a tenth.
   */
  maxConnectionAgeMs: 30_000,
  maxConnectionAgeGraceMs: 5_000,
  /** Concurrent HTTP/2 streams (SETTINGS_MAX_CONCURRENT_STREAMS). RFC 9113 recommends at least 100. */
  maxCallsPerConnection: 100,
  /** Concurrent calls. A gateway has at most 64 batches in flight to a service. */
  maxCalls: 1_024,
  maxCallsPerAddress: 256,
} as const;

export type GrpcLimits = { readonly [Name in keyof typeof GRPC_LIMITS]: number };

/**
 * How long to wait for auth to change a key or the plans. A change takes up to four round trips to NATS, of 2 s each on the slowest link
 * that works. Just after auth has connected it takes more, since auth reads the key log first.
 */
export const CHANGE_DEADLINE_MS = 10_000;

/** Entries per request. Gateways send at most 512. */
export const MAX_BATCH = 1_024;
/** The longest response that clients accept: a month of 200,000 keys in one shard. */
export const MAX_RESPONSE_BYTES = 128 * 2 ** 20;
/** The longest request, unless the service sets its own maximum. A batch of 1,024 addresses takes 48 kB. */
export const DEFAULT_MAX_REQUEST_BYTES = 64 * 1_024;
