/** Limits of a gRPC port. A client is an IP address. */
export const GRPC_LIMITS = {
  maxConnections: 1_024,
  maxConnectionsPerAddress: 256,
  /** New connections of one address: the burst, and the rate after that. */
  maxConnectionBurst: 200,
  maxNewConnectionsPerSecond: 20,
  /** The time to send the first 33 bytes of HTTP/2: its preface and an empty SETTINGS frame. */
  handshakeTimeoutMs: 5_000,
  /** The maximum age of a connection, because grpc-js finds new nodes only when one ends. After the grace period, it is closed. */
  maxConnectionAgeMs: 30_000,
  maxConnectionAgeGraceMs: 5_000,
  /** Concurrent HTTP/2 streams (SETTINGS_MAX_CONCURRENT_STREAMS). RFC 9113 recommends at least 100. */
  maxCallsPerConnection: 100,
  /** Concurrent calls. A gateway has at most 64 batches in flight to a service. */
  maxCalls: 1_024,
  maxCallsPerAddress: 256,
  /** The time for a unary call's request to arrive completely. */
  requestTimeoutMs: 5_000,
  /** A connection is closed after this many calls without the admin token. */
  maxRefusedCallsPerConnection: 10,
  /**
   * What a connection may send besides requests, such as pings: the burst and the rate after that, in bytes. A gateway sends less
   * than 100 bytes a second. Headers of calls are counted separately (`headerBytesPerCall`).
   */
  maxControlBytes: 256 * 1_024,
  maxControlBytesPerSecond: 64 * 1_024,
  headerBytesPerCall: 1_024,
  /** Unread response bytes: per connection and in total, before calls are refused. */
  maxUnsentBytesPerConnection: 16 * 2 ** 20,
  maxUnsentBytes: 256 * 2 ** 20,
  /** A connection with unread responses is closed when its client reads nothing for this long. */
  stalledWriteTimeoutMs: 10_000,
} as const;

export type GrpcLimits = { readonly [Name in keyof typeof GRPC_LIMITS]: number };

/**
 * How long to wait for auth to change a key or the plans. A change takes up to four round trips to NATS, of 2 s each on the slowest link
 * that works. Just after auth has connected it takes more, since auth reads the key log first.
 */
export const CHANGE_DEADLINE_MS = 10_000;

/** Entries per request: larger requests are refused before decoding. Gateways send at most 512. */
export const MAX_BATCH = 1_024;
/** The longest response that clients accept: a month of 200,000 keys in one shard. */
export const MAX_RESPONSE_BYTES = 128 * 2 ** 20;
/** The longest request, unless the service sets its own maximum. A batch of 1,024 addresses takes 48 kB. */
export const DEFAULT_MAX_REQUEST_BYTES = 64 * 1_024;
