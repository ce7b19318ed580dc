import type { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { CHANGE_DEADLINE_MS } from "@geolookup/shared/runtime/grpc/limits.ts";
import { isTimeout, isUnknownMethod } from "@geolookup/shared/runtime/grpc/status.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { adviceFor, type Deployment } from "../deployment.ts";

/**
 * Explains a call without a response from the right service to the operator.
 * @param path the method's.
 * @param isConnected whether something listens at the target. If so, its own error is returned unchanged.
 */
export function explainFailure(
  error: ServiceError,
  {
    target,
    path,
    isConnected,
    deployment,
  }: { target: string; path: string; isConnected: boolean; deployment: Deployment },
): ServiceError | StartError {
  const service = path.startsWith("/geolookup.usage.") ? "usage" : "auth";
  if (isTimeout(error))
    return new StartError(
      `${target} didn't respond within ${CHANGE_DEADLINE_MS / 1_000} s. ${adviceFor(deployment, service)}. ` +
        "If you changed something, check whether the change was made before you retry",
    );
  if (isUnknownMethod(error))
    return new StartError(
      `${target} isn't the ${service} service, or it is another version of it. Check ${service.toUpperCase()}_URL`,
    );
  if (error.code !== "unavailable" || isConnected) return error;
  const [, problem] = /Last error: (?:Error: )?([^:]*certificate.*?)\. Resolution note/.exec(error.message) ?? [];
  if (problem !== undefined)
    return new StartError(`${target} isn't trusted: ${problem}. Check the INTERNAL_TLS_… files of both sides`);
  return new StartError(`${service} isn't running at ${target}. ${adviceFor(deployment, service)}`);
}
