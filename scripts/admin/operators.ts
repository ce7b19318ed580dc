import type { IssuedOperator__Output as WireIssued } from "@geolookup/shared/generated/geolookup/auth/v1/IssuedOperator.ts";
import type { Operator__Output as WireOperator } from "@geolookup/shared/generated/geolookup/auth/v1/Operator.ts";
import { type OperatorView, operatorFromWire } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import type { Method } from "@geolookup/shared/runtime/grpc/client.ts";
import { OPERATORS } from "@geolookup/shared/runtime/grpc/services.ts";
import { alignColumns } from "../columns.ts";
import { type CommandContext, printResult } from "../command-line.ts";
import { callService } from "../keys/admin-client.ts";
import { findService, type ServiceAddress } from "../keys/service-address.ts";

/** What the operator asked for: a method and its request. */
export type OperatorCommand =
  | { method: "AddOperator"; request: { name: string; role: string; expiresAt: string } }
  | { method: "ReplaceOperatorToken"; request: { name: string; expiresAt: string } }
  | { method: "SetOperatorRole"; request: { name: string; role: string } }
  | { method: "RemoveOperator"; request: { name: string } }
  | { method: "ListOperators" };

/** Runs one command of `operators`. @throws StartError, ServiceError */
export async function runOperators(context: CommandContext, command: OperatorCommand, asJson = false): Promise<number> {
  printResult(context, await perform(findService("auth", context.environment), command), asJson);
  return 0;
}

async function perform(address: ServiceAddress, command: OperatorCommand) {
  switch (command.method) {
    case "ListOperators": {
      const { operators } = await callService(address, OPERATORS.ListOperators, {});
      const views = operators.map(operatorFromWire);
      return { json: views, text: operatorTable(views) };
    }
    case "AddOperator":
    case "ReplaceOperatorToken": {
      const method = OPERATORS[command.method] as Method<object, WireIssued>;
      const { token = "", operator = {} } = await callService(address, method, command.request);
      const { name, role, expiresAt } = operatorFromWire(operator ?? {});
      const use = "Sign in to the console with it, or set ADMIN_TOKEN to it for this program.";
      return {
        json: { name, role, token, ...(expiresAt !== undefined && { expiresAt }) },
        text: `${token}\n\nThis is the token of ${name}. You won't be able to see it again. ${use}\n`,
      };
    }
    default: {
      const method = OPERATORS[command.method] as Method<object, WireOperator>;
      const view = operatorFromWire(await callService(address, method, command.request));
      return { json: view, text: operatorTable([view]) };
    }
  }
}

function operatorTable(operators: readonly OperatorView[]): string {
  if (operators.length === 0) return "There are no operators besides admin, whose token is ADMIN_TOKEN.\n";
  return alignColumns([
    ["NAME", "ROLE", "ADDED", "TOKEN EXPIRES", "REMOVED"],
    ...operators.map(({ name, role, createdAt, expiresAt, removedAt }) => [
      ...[name, role, createdAt.slice(0, 10), expiresAt ?? "never", removedAt ?? "-"],
    ]),
  ]);
}
