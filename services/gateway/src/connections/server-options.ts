/** Options of the HTTP servers of the public port and the edge port. */
export const SERVER_OPTIONS = {
  requireHostHeader: false,
  /** Timeouts for a request's headers, and for the whole request. Bodies are read and dropped. */
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 2_000,
};
