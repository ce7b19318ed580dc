import { ADMIN } from "@geolookup/shared/domain/operators.ts";
import { callerOf, type Identify, type ServedService, serve } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { OPERATORS } from "@geolookup/shared/runtime/grpc/services.ts";
import type { Operators } from "./operators.ts";

/** Serves Operators of proto/auth/v1. */
export function operatorsService(operators: Operators, identify: Identify): ServedService {
  return serve(
    OPERATORS,
    {
      WhoAmI: (_request, metadata) => {
        const caller = callerOf(metadata);
        return { ...(caller.name !== ADMIN && operators.find(caller.name)), ...caller };
      },
      ListOperators: () => ({ operators: operators.list() }),
      AddOperator: ({ name = "", role = "", expiresAt = "" }, metadata) =>
        operators.add(name, role, expiresAt, callerOf(metadata).name),
      SetOperatorRole: ({ name = "", role = "" }, metadata) => operators.setRole(name, role, callerOf(metadata).name),
      ReplaceOperatorToken: ({ name = "", expiresAt = "" }, metadata) =>
        operators.replaceToken(name, expiresAt, callerOf(metadata).name),
      RemoveOperator: ({ name = "" }, metadata) => operators.remove(name, callerOf(metadata).name),
    },
    { identify },
  );
}
