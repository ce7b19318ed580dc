import { ADMIN, type Caller, ROLES, type Role, requireRole } from "@geolookup/shared/domain/operators.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { isAdminToken, tokenOf } from "@geolookup/shared/runtime/grpc/calls.ts";
import type { Identify, Metadata } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { hasTokenShape, type Operators } from "./operators.ts";

/** Names that the portal may give: those of operators, and those of OpenID Connect and of proxies, such as an email address. */
const NAME = /^[!-~]{1,128}$/;

/**
 * Identifies the callers of KeyAdmin, Operators and Audit (proto/auth/v1), and checks their roles.
 * @param options.adminToken its owner is ADMIN, or acts for the operator whom the metadata name.
 * @param options.onRefused called for each call with a token that isn't valid.
 */
export function identifyOperators(options: {
  adminToken: string;
  operators: Pick<Operators, "withToken" | "current">;
  onRefused: () => void;
}): Identify {
  const { operators, onRefused } = options;
  const identify = (token: string, metadata: Metadata): Caller | Promise<Caller> => {
    if (isAdminToken(token, options.adminToken)) {
      const signedIn = signedInBy(metadata);
      return signedIn ? operators.current(signedIn) : { name: ADMIN, role: "admin" };
    }
    if (hasTokenShape(token)) return operators.withToken(token);
    throw new ServiceError("unauthenticated", "the admin token doesn't match the service's ADMIN_TOKEN");
  };
  return async (metadata, method) => {
    const token = tokenOf(metadata, /^(?:bearer|operator) +(.*)$/i);
    try {
      const { name, role } = await identify(token, metadata);
      requireRole({ name, role }, method);
      return { name, role };
    } catch (error) {
      if (error instanceof ServiceError && error.code === "unauthenticated") onRefused();
      throw error;
    }
  };
}

/** The operator for whom the admin token's owner calls; undefined: itself. @throws ServiceError `invalid` */
function signedInBy(metadata: Metadata): { name: string; role: Role | null } | undefined {
  const name = metadata.get("operator-name")[0]?.toString();
  if (name === undefined) return undefined;
  const given = metadata.get("operator-role")[0]?.toString();
  const role = given === undefined ? null : ROLES.find((each) => each === given);
  if (role === undefined || name === ADMIN || !NAME.test(name))
    throw new ServiceError("invalid", "the metadata operator-name or operator-role is invalid");
  return { name, role };
}
