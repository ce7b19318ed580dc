import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { Response } from "express";
import type { DeploymentInfo } from "../deployment/deployment-info.ts";
import type { Backend } from "./backend.ts";
import type { Cookies } from "./cookies.ts";
import type { Session, Sessions } from "./sessions.ts";

/** Dependencies shared by the console's routes. */
export interface ConsoleContext {
  deployment: () => DeploymentInfo;
  backend: Backend;
  sessions: Sessions;
  cookies: Cookies;
  /** False if one process runs every service. */
  hasClusterPage: boolean;
  clock: Clock;
  log: Logger;
}

/** The session of the request, or null. */
export function findSession(res: Response): Session | null {
  return res.locals.session ?? null;
}

/** The session of the request, on routes behind `requireSession`. */
export function sessionOf(res: Response): Session {
  const session = findSession(res);
  if (session === null) throw new Error("route without requireSession");
  return session;
}
