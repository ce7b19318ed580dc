import type { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { isTimeout } from "@geolookup/shared/runtime/grpc/status.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";

/** How long a command waits for an answer. */
export const DEADLINE_MS = 10_000;

/**
 * A failed call, in the operator's words when nothing was answered.
 * @param isConnected whether something listens at the target: then what it says stands as it is.
 */
export function explained(error: ServiceError, target: string, isConnected: boolean): ServiceError | StartError {
  if (isTimeout(error))
    return new StartError(
      `${target} has not answered within ${DEADLINE_MS / 1_000} s. Look whether the address is right, and at the ` +
        "service's log. If something was to be changed, it may have been: look at it before you try again",
    );
  if (error.code !== "unavailable" || isConnected) return error;
  return new StartError(`geolookup is not running at ${target}; start it with \`make start\``);
}
