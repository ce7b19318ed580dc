const NOT_TLS = "the client doesn't use TLS";
const WRONG_CA = "the client's certificate is from a CA that isn't in INTERNAL_TLS_CA_FILE";

/** What errors of Node and OpenSSL mean, by code. */
const REASONS: Readonly<Record<string, string>> = {
  ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE: "the client sent no certificate",
  CERT_HAS_EXPIRED: "the client's certificate has expired",
  CERT_NOT_YET_VALID: "the client's certificate isn't valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: WRONG_CA,
  SELF_SIGNED_CERT_IN_CHAIN: WRONG_CA,
  UNABLE_TO_GET_ISSUER_CERT: WRONG_CA,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: WRONG_CA,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: WRONG_CA,
  CERT_SIGNATURE_FAILURE: WRONG_CA,
  ERR_SSL_WRONG_VERSION_NUMBER: NOT_TLS,
  ERR_SSL_HTTP_REQUEST: NOT_TLS,
  ERR_SSL_HTTPS_PROXY_REQUEST: NOT_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NOT_TLS,
  ERR_SSL_UNSUPPORTED_PROTOCOL: "the client doesn't support TLS 1.3",
  ERR_SSL_NO_APPLICATION_PROTOCOL: "the client doesn't offer HTTP/2",
  ERR_TLS_HANDSHAKE_TIMEOUT: "the client didn't complete the handshake in time",
};

/**
 * Why a client's TLS handshake failed, for the log. Contains nothing that the client sent.
 * @param verification Node's code for the certificate's problem; undefined if it has none.
 * @returns null if the connection just ended.
 */
export function failedHandshake(
  { code = "unknown error" }: NodeJS.ErrnoException,
  verification: Error | string | null | undefined,
): string | null {
  if (verification) return REASONS[String(verification)] ?? `the client's certificate is invalid (${verification})`;
  if (code === "ECONNRESET" || code === "EPIPE") return null;
  return REASONS[code] ?? `the handshake failed (${code})`;
}
