import { ServiceError } from "./service-error.ts";

/** What an operator may do. Each role may do what the ones before it may. */
export const ROLES = ["viewer", "operator", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** The operator that ADMIN_TOKEN signs in as. No other operator can have this name. */
export const ADMIN = "admin";

/** Customers who rotate their own keys, in histories and the audit trail. */
export const SELF_SERVICE = "self-service";

/** Names that no operator can have. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([ADMIN, SELF_SERVICE]);

/** Whether a role includes another one. */
export function includesRole(role: Role, required: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(required);
}

/** Who makes a call: a name for the history and the audit trail, and the role. */
export interface Caller {
  name: string;
  role: Role;
}

/** The role that each method of KeyAdmin, Operators and Audit needs (proto/auth/v1). Nobody can call a method that isn't here. */
const ROLE_OF_METHOD: Readonly<Record<string, Role>> = {
  ListKeys: "viewer",
  GetKey: "viewer",
  FindKeys: "viewer",
  GetHistory: "viewer",
  ListCustomers: "viewer",
  GetCustomer: "viewer",
  GetPlans: "viewer",
  CheckPlans: "viewer",
  WhoAmI: "viewer",

  IssueKey: "operator",
  RevokeKey: "operator",
  SetPlan: "operator",
  SetOrigins: "operator",
  SetLabel: "operator",
  RotateKey: "operator",
  SetExpiry: "operator",
  DisableKey: "operator",
  EnableKey: "operator",
  SetCustomer: "operator",
  SetMetadata: "operator",
  PrepareKeys: "operator",
  IssueKeys: "operator",
  AddCustomer: "operator",
  ChangeCustomer: "operator",
  DisableCustomer: "operator",
  EnableCustomer: "operator",
  // Without what concerns operators.
  ListEntries: "operator",

  ConfirmPlans: "admin",
  FinishUpgrade: "admin",
  ListOperators: "admin",
  AddOperator: "admin",
  SetOperatorRole: "admin",
  ReplaceOperatorToken: "admin",
  RemoveOperator: "admin",
  RecordEntry: "admin",
};

/** The role that a method needs; undefined if nobody can call it. */
export function roleForMethod(method: string): Role | undefined {
  return Object.hasOwn(ROLE_OF_METHOD, method) ? ROLE_OF_METHOD[method] : undefined;
}

/** @throws ServiceError `forbidden` if the caller's role doesn't include the one that a method needs. */
export function requireRole({ name, role }: Caller, method: string): void {
  const required = roleForMethod(method);
  if (required === undefined) throw new ServiceError("forbidden", `${method} has no role that may call it`);
  const article = role === "viewer" ? "a" : "an";
  if (!includesRole(role, required))
    throw new ServiceError("forbidden", `this needs the role ${required}; ${name} is ${article} ${role}`);
}
