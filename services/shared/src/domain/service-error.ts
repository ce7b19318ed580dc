/** What went wrong, in the words services use among themselves; the gateway alone makes it public. */
export type ServiceErrorCode =
  | "invalid"
  | "unauthenticated"
  | "not_found"
  | "precondition"
  | "conflict"
  | "unavailable"
  | "internal";

/** The one error type that crosses gRPC. The message is safe to show to an operator. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: ServiceErrorCode;

  constructor(code: ServiceErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
