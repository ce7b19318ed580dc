import type { IssuedOperator__Output as WireIssued } from "@geolookup/shared/generated/geolookup/auth/v1/IssuedOperator.ts";
import { type OperatorView, operatorFromWire } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { OPERATORS } from "@geolookup/shared/runtime/grpc/services.ts";
import { alignColumns, type Printed } from "../command-line.ts";
import { callAuth } from "../keys/admin-client.ts";

type Environment = NodeJS.ProcessEnv;

export async function add(environment: Environment, name: string, role: string, expiresAt: string): Promise<Printed> {
  return issued(await callAuth(environment, OPERATORS.AddOperator, { name, role, expiresAt }));
}

export async function replaceToken(environment: Environment, name: string, expiresAt: string): Promise<Printed> {
  return issued(await callAuth(environment, OPERATORS.ReplaceOperatorToken, { name, expiresAt }));
}

export async function setRole(environment: Environment, name: string, role: string): Promise<Printed> {
  const view = operatorFromWire(await callAuth(environment, OPERATORS.SetOperatorRole, { name, role }));
  return { json: view, text: operatorTable([view]) };
}

export async function remove(environment: Environment, name: string): Promise<Printed> {
  const view = operatorFromWire(await callAuth(environment, OPERATORS.RemoveOperator, { name }));
  return { json: view, text: operatorTable([view]) };
}

export async function list(environment: Environment): Promise<Printed> {
  const { operators } = await callAuth(environment, OPERATORS.ListOperators, {});
  const views = operators.map(operatorFromWire);
  return { json: views, text: operatorTable(views) };
}

function issued({ token = "", operator }: WireIssued): Printed {
  const { name, role, expiresAt } = operatorFromWire(operator ?? {});
  const use = "Sign in to the console with it, or set ADMIN_TOKEN to it for this program.";
  return {
    json: { name, role, token, ...(expiresAt !== undefined && { expiresAt }) },
    text: `${token}\n\nThis is the token of ${name}. You won't be able to see it again. ${use}\n`,
  };
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
