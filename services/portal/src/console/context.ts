import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { includesRole, type Role } from "@geolookup/shared/domain/operators.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { Response } from "express";
import type { Backend } from "../deployment/backend.ts";
import type { DeploymentInfo } from "../deployment/deployment-info.ts";
import type { Reads } from "../deployment/reads.ts";
import type { Html } from "../html.ts";
import type { Cookies } from "./cookies.ts";
import type { Session, Sessions } from "./sessions.ts";

/** Dependencies shared by the console's routes. */
export interface ConsoleContext {
  deployment: () => DeploymentInfo;
  /** What every operator may read. For the rest, see backendOf. */
  backend: Reads;
  sessions: Sessions;
  cookies: Cookies;
  /** False if one process runs every service. */
  hasClusterPage: boolean;
  /** The host of the OpenID Connect issuer; null: none. */
  issuerHost: string | null;
  clock: Clock;
  log: Logger;
}

/** The session of the request, or null. */
export function findSession(res: Response): Session | null {
  return res.locals.session ?? null;
}

/** Calls as the signed-in operator, on routes behind `requireSession`. Auth refuses what is beyond the operator's role. */
export function backendOf(res: Response): Backend {
  return res.locals.backend;
}

/** The hidden field that every form of the session must include (csrf.ts), on routes behind `requireSession`. */
export function hiddenOf(res: Response): Html {
  return res.locals.hidden;
}

/** Whether the signed-in operator has a role, or one that includes it. Decides what a page offers. */
export function hasRole(res: Response, required: Role): boolean {
  return includesRole(res.locals.role, required);
}

/** The session of the request, on routes behind `requireSession`. */
export function sessionOf(res: Response): Session {
  const session = findSession(res);
  if (session === null) throw new Error("route without requireSession");
  return session;
}
