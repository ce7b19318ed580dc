/** What clients of a gRPC port may hold. A client is an IP address. */
export const GRPC_LIMITS = {
  /** Connections. */
  maxConnections: 1_024,
  maxConnectionsPerAddress: 256,
  /** New connections of one address: how many at once, and how many a second from then on. */
  maxConnectionBurst: 200,
  maxNewConnectionsPerSecond: 20,
  /** For the first 33 bytes of HTTP/2: its preface and an empty SETTINGS frame. */
  handshakeTimeoutMs: 5_000,
  /** Connections are renewed this often: grpc-js looks up new nodes only when a connection ends. After the grace they are cut. */
  maxConnectionAgeMs: 30_000,
  maxConnectionAgeGraceMs: 5_000,
  /** HTTP/2 streams at once, as SETTINGS_MAX_CONCURRENT_STREAMS tells clients. RFC 9113 advises against fewer. */
  maxCallsPerConnection: 100,
  /** Calls at once, streams among them: a gateway has at most 64 batches on their way to a service. */
  maxCalls: 1_024,
  maxCallsPerAddress: 256,
  /** For a unary call's request to arrive completely. */
  requestTimeoutMs: 5_000,
  /** Calls without the admin token, after which their connection is closed. */
  maxRefusedCallsPerConnection: 10,
  /**
   * What a connection may send besides requests, such as pings: bytes at once, and bytes a second from then on. A gateway
   * sends less than 100 a second. Headers of calls are allowed on top (`headerBytesPerCall`).
   */
  maxControlBytes: 256 * 1_024,
  maxControlBytesPerSecond: 64 * 1_024,
  headerBytesPerCall: 1_024,
  /** Unread responses: of a stream, before it is no longer read; of a connection and in all, before calls are refused. */
  maxUnsentBytesPerStream: 2 ** 20,
  maxUnsentBytesPerConnection: 16 * 2 ** 20,
  maxUnsentBytes: 256 * 2 ** 20,
  /** A connection with unread responses is closed if its client reads nothing for this long. */
  stalledWriteTimeoutMs: 10_000,
} as const;

export type GrpcLimits = { readonly [Name in keyof typeof GRPC_LIMITS]: number };

/** Entries of one request: more are refused before they are decoded. Gateways ask for at most 512. */
export const MAX_BATCH = 1_024;
/** The longest response, as clients take it: a month of 200,000 keys in one shard. */
export const MAX_RESPONSE_BYTES = 128 * 2 ** 20;
/** The longest request of a service that sets no maximum: a batch of 1,024 addresses takes 48 kB. */
export const DEFAULT_MAX_REQUEST_BYTES = 64 * 1_024;
