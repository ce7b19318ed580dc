import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import type { Counter } from "@prometheus-io/client";
import type { Response } from "express";
import type { Backend } from "../deployment/backend.ts";
import { type ConsoleContext, findSession } from "./context.ts";
import { MAX_SESSION_MS, type Session, type SignedIn } from "./sessions.ts";

/** Lets operators in and out. Everything is counted, logged, and recorded in the audit trail. */
export interface Entrance {
  /** Starts a new session, which replaces that of the request, and sets its cookie. */
  enter(res: Response, operator: SignedIn): void;
  /**
   * The session of an operator whom a proxy names. Since the proxy does that with each request, of which a client without cookies may send
   * any number, it counts as a sign-in only the first time in eight hours.
   */
  pass(operator: SignedIn): Session;
  /** @param source how the operator tried to sign in. @param isRecorded whether auth has recorded it already. */
  refuse(source: SignedIn["source"], isRecorded?: boolean): void;
  /** Ends a session. */
  leave(res: Response, session: Session): void;
}

export function createEntrance(
  { sessions, cookies, log }: Pick<ConsoleContext, "sessions" | "cookies"> & { log: Logger },
  options: { backend: Backend; signIns: Counter<"outcome">; onEnd: (sessionId: string) => void },
): Entrance {
  const { backend, signIns, onEnd } = options;
  /** Nobody waits for it: the admin token signs in while auth is unavailable. */
  const record = (...entry: Parameters<Backend["record"]>) =>
    void backend.record(...entry).catch((err) => budgeted(log).warn({ err }, "sign-in not recorded"));
  const end = (session: Session) => {
    sessions.end(session);
    onEnd(session.id);
  };
  const admit = (operator: SignedIn) => {
    signIns.inc({ outcome: "signed_in" });
    log.info({ operator: operator.name, source: operator.source }, "console sign-in");
    record("SignedIn", operator);
  };
  /** Until when the session of a proxy's operator doesn't count again, by its ID. */
  const passedUntilMs = new Map<string, number>();
  return {
    enter(res, operator) {
      const old = findSession(res);
      if (old) end(old);
      cookies.set(res, sessions.seal(sessions.start(operator)));
      admit(operator);
    },
    pass(operator) {
      const session = sessions.start(operator);
      if (session.signedInAtMs < (passedUntilMs.get(session.id) ?? 0)) return session;
      for (const [id, untilMs] of passedUntilMs) if (untilMs <= session.signedInAtMs) passedUntilMs.delete(id);
      passedUntilMs.set(session.id, session.signedInAtMs + MAX_SESSION_MS);
      admit(operator);
      return session;
    },
    refuse(source, isRecorded = false) {
      signIns.inc({ outcome: "refused" });
      budgeted(log).warn({ source }, "console sign-in refused");
      if (!isRecorded) record("SignInRefused", { name: "", source });
    },
    leave(res, session) {
      end(session);
      cookies.clear(res);
      record("SignedOut", session.operator);
    },
  };
}
