/** What an operator may do. Each role may do what the ones before it may. */
export const ROLES = ["viewer", "operator", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** The operator that ADMIN_TOKEN signs in as. No other operator can have this name. */
export const ADMIN = "admin";

/** Whether a role includes another one. */
export function includesRole(role: Role, required: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(required);
}

/** Who makes a call: a name for the history and the audit trail, and the role. */
export interface Caller {
  name: string;
  role: Role;
}
