import { ADMIN, type Caller, ROLES, requireRole } from "@geolookup/shared/domain/operators.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { bearerOf, isAdminToken } from "@geolookup/shared/runtime/grpc/calls.ts";
import type { Identify } from "@geolookup/shared/runtime/grpc/served-service.ts";

/** Names that the portal may give: those of operators, and those of OpenID Connect and of proxies, such as an email address. */
const NAME = /^[!-~]{1,128}$/;

/**
 * Identifies the callers of KeyAdmin, Operators and Audit (proto/auth/v1), and checks their roles.
 * @param options.adminToken its owner is ADMIN, or acts for the operator whom the metadata name.
 */
export function identifyOperators(options: { adminToken: string }): Identify {
  return (metadata, method) => {
    if (!isAdminToken(bearerOf(metadata), options.adminToken))
      throw new ServiceError("unauthenticated", "the admin token doesn't match the service's ADMIN_TOKEN");
    const name = metadata.get("operator-name")[0]?.toString();
    const role = metadata.get("operator-role")[0]?.toString();
    const caller: Caller = name === undefined ? { name: ADMIN, role: "admin" } : signedIn(name, role);
    requireRole(caller, method);
    return caller;
  };
}

/** @throws ServiceError `invalid` */
function signedIn(name: string, roleName: string | undefined): Caller {
  const role = ROLES.find((each) => each === roleName);
  if (!role || name === ADMIN || !NAME.test(name))
    throw new ServiceError("invalid", "the metadata operator-name or operator-role is invalid");
  return { name, role };
}
