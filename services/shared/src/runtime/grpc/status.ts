import grpc from "@grpc/grpc-js";
import { ServiceError, type ServiceErrorCode } from "../../domain/service-error.ts";

const STATUS_OF: Readonly<Record<ServiceErrorCode, grpc.status>> = {
  invalid: grpc.status.INVALID_ARGUMENT,
  unauthenticated: grpc.status.UNAUTHENTICATED,
  forbidden: grpc.status.PERMISSION_DENIED,
  not_found: grpc.status.NOT_FOUND,
  precondition: grpc.status.FAILED_PRECONDITION,
  conflict: grpc.status.ABORTED,
  unavailable: grpc.status.UNAVAILABLE,
  internal: grpc.status.INTERNAL,
};

export function statusOf(code: ServiceErrorCode): grpc.status {
  return STATUS_OF[code];
}

/** Whether a call got no response in time. */
export function isTimeout({ cause }: ServiceError): boolean {
  return (cause as Partial<grpc.ServiceError> | undefined)?.code === grpc.status.DEADLINE_EXCEEDED;
}

/** Whether the server doesn't have the method, because it is another version. */
export function isUnknownMethod({ cause }: ServiceError): boolean {
  return (cause as Partial<grpc.ServiceError> | undefined)?.code === grpc.status.UNIMPLEMENTED;
}

/** Converts the error of a call to a ServiceError. A timeout is `unavailable`. */
export function fromStatus(error: grpc.StatusObject & { message?: string }): ServiceError {
  const entry = Object.entries(STATUS_OF).find(([, status]) => status === error.code);
  if (entry) return new ServiceError(entry[0] as ServiceErrorCode, error.details, { cause: error });
  const code = error.code === grpc.status.DEADLINE_EXCEEDED ? "unavailable" : "internal";
  return new ServiceError(code, error.details || error.message || "", { cause: error });
}

/** Whether a status means that the node is unreachable, too slow, shutting down or not ready. */
export function isUnavailable(code: grpc.status): boolean {
  return code === grpc.status.UNAVAILABLE || code === grpc.status.DEADLINE_EXCEEDED || code === grpc.status.CANCELLED;
}
