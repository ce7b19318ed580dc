import { ServiceError, type ServiceErrorCode } from "@geolookup/shared/domain/service-error.ts";
import { isUnknownMethod } from "@geolookup/shared/runtime/grpc/status.ts";
import { sentence } from "../console/format.ts";

/** The errors of the API, with their statuses. */
export const API_ERRORS = {
  invalid_request: 400,
  invalid_token: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  not_possible: 409,
  request_in_progress: 409,
  idempotency_key_reused: 409,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const;

export type ApiErrorCode = keyof typeof API_ERRORS;

/** A refused request. The message is for the caller. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ApiErrorCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.code = code;
    this.headers = headers;
  }
}

const CODE_OF: Readonly<Record<ServiceErrorCode, ApiErrorCode>> = {
  invalid: "invalid_request",
  unauthenticated: "invalid_token",
  forbidden: "forbidden",
  not_found: "not_found",
  precondition: "not_possible",
  conflict: "conflict",
  unavailable: "unavailable",
  internal: "internal_error",
};

const RETRY: Readonly<Record<string, string>> = { "Retry-After": "1" };

/** What a failed request returns. An unknown error becomes a plain `internal_error`. */
export function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof ServiceError) {
    const code = CODE_OF[error.code];
    if (isUnknownMethod(error))
      return new ApiError("unavailable", "A service runs an earlier version. Upgrade it first.");
    if (code === "internal_error") return internalError();
    if (code !== "unavailable") return new ApiError(code, sentence(error.message));
    // Its message can have an internal address, and needs no token.
    return new ApiError(
      code,
      "A service isn't responding. Try again, with the same Idempotency-Key if it was a change.",
      RETRY,
    );
  }
  const { status = 500 } = (error ?? {}) as { status?: number };
  if (status === 413) return new ApiError("too_large", "The body may have at most 64 kB.");
  if (status === 415)
    return new ApiError("unsupported_media_type", "Send the body as UTF-8, without a Content-Encoding.");
  if (status >= 400 && status < 500)
    return new ApiError("invalid_request", "The body isn't valid JSON, or the path is invalid.");
  return internalError();
}

function internalError(): ApiError {
  return new ApiError("internal_error", "Something went wrong. The cause is in the service's log.");
}
