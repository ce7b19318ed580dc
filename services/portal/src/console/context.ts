import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { Response } from "express";
import type { Site } from "../site.ts";
import type { Backend } from "./backend.ts";
import type { Cookies } from "./cookies.ts";
import type { Session, Sessions } from "./sessions.ts";

/** What the console's routes have in common. */
export interface ConsoleContext {
  site: () => Site;
  backend: Backend;
  sessions: Sessions;
  cookies: Cookies;
  clock: Clock;
  log: Logger;
}

/** Who is signed in; null: nobody. */
export function visitorOf(res: Response): Session | null {
  return res.locals.session ?? null;
}

/** Who is signed in, where routes are for nobody else. */
export function operatorOf(res: Response): Session {
  const session = visitorOf(res);
  if (session === null) throw new Error("this route is reached without a session");
  return session;
}
