/** What went wrong, for internal use between services; only the gateway turns it into a public error. */
export type ServiceErrorCode =
  | "invalid"
  | "unauthenticated"
  /** Beyond the operator's role. */
  | "forbidden"
  | "not_found"
  | "precondition"
  | "conflict"
  | "unavailable"
  | "internal";

/** The only error type that crosses gRPC. The message is safe to show to an operator. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: ServiceErrorCode;

  constructor(code: ServiceErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
