const NO_TLS = "it doesn't use TLS; set the INTERNAL_TLS_… variables for it too";
const REFUSED = "it refused this node's certificate; its log says why";
const UNTRUSTED = "its certificate isn't from a CA in INTERNAL_TLS_CA_FILE";

/** What OpenSSL's and Node's errors mean for a client with TLS between processes. */
const REASONS: [pattern: RegExp, reason: string][] = [
  [/wrong version number|packet length too long/, NO_TLS],
  [/\balert\b/, REFUSED],
  [/^(?:UNABLE_TO_|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|CERT_SIGNATURE_FAILURE)/, UNTRUSTED],
  [/^CERT_HAS_EXPIRED/, "its certificate has expired"],
];

/**
 * Why a geo data server sent no response, for the operator.
 * @param isSecure whether the connection was to use TLS between processes.
 * @returns null if the error itself explains it.
 */
export function failedConnection({ code = "", message }: NodeJS.ErrnoException, isSecure: boolean): string | null {
  if (["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].includes(code))
    return isSecure
      ? "it closed the connection without a response; if it refuses this node's certificate, its log says why"
      : "it closed the connection without a response; if it uses TLS, set the INTERNAL_TLS_… variables here too";
  if (!isSecure) return null;
  return REASONS.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1] ?? null;
}
