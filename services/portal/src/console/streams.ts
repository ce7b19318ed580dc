import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import type { Request, Response } from "express";
import type { Html } from "../html.ts";
import type { Session, Sessions } from "./sessions.ts";

/** Live updates and exports at once in this process. The gateway has the same number of places for them. */
const MAX_OPEN = 20;
/** Per operator: browsers have six connections to a host. */
const MAX_STREAMS_OF_SESSION = 4;
const MAX_EXPORTS_OF_SESSION = 2;
/** Below what the gateway waits for a silent stream (30 s). */
const HEARTBEAT_MS = 10_000;
/** Then the browser asks again, with the cookie that it has by then. */
const LONGEST_MS = 60_000;
const RETRY_MS = 1_000;
/** A reader that takes nothing is given up. */
const MOST_UNSENT_BYTES = 256 * 1_024;

/** Live updates of pages (server-sent events) and exports. They share places that only operators can take. */
export interface Streams {
  /**
   * Keeps a part of a page current: sends it as it is, and again whenever it has changed. Too many streams are refused
   * with 429, which ends a browser's tries.
   * @param render throws when it cannot be told just now: the page says so, and is kept as it was.
   */
  open(req: Request, res: Response, session: Session, options: { everyMs: number; render: () => Promise<Html> }): void;
  /** Runs an export, or refuses it with 429 when too many are open. */
  export(res: Response, session: Session, run: () => Promise<void>): Promise<void>;
  endOf(sessionId: string): void;
  endAll(): void;
  count(): number;
}

export function createStreams({ sessions, log }: { sessions: Sessions; log: Logger }): Streams {
  const ends = new Map<() => void, string>();
  const exports = new Map<Response, string>();
  const isFull = (open: Iterable<string>, { id }: Session, maxOfSession: number) =>
    ends.size + exports.size >= MAX_OPEN || [...open].filter((each) => each === id).length >= maxOfSession;

  return {
    open(req, res, session, { everyMs, render }) {
      // Whoever asked may have left while the key was looked up: nothing would end its stream before its time.
      if (res.destroyed || req.socket.destroyed) return;
      if (isFull(ends.values(), session, MAX_STREAMS_OF_SESSION)) return void res.sendStatus(429);
      res.set({ "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" });
      if (req.method === "HEAD") return void res.end();
      res.flushHeaders();
      res.write(`retry: ${RETRY_MS}\n\n`);
      const startMs = performance.now();
      let heardMs = startMs;
      let shown = "";
      let timer: NodeJS.Timeout | undefined;
      const say = (event: string, text: string) => {
        heardMs = performance.now();
        res.write(`event: ${event}\ndata: ${JSON.stringify(text)}\n\n`);
        if (res.writableLength > MOST_UNSENT_BYTES) res.destroy();
      };
      const end = () => {
        clearTimeout(timer);
        if (!ends.delete(end)) return;
        if (!sessions.isLive(session)) say("signed-out", "");
        res.end();
      };
      const look = async () => {
        const text = await render().then(
          (html) => ({ event: "shown", html: html.text }),
          (error: unknown) => {
            if (!(error instanceof ServiceError)) budgeted(log).error({ err: error }, "console live update failed");
            return { event: "unknown", html: "" };
          },
        );
        if (!ends.has(end)) return;
        const now = performance.now();
        if (!sessions.isLive(session)) return end();
        if (now - startMs > LONGEST_MS) {
          say("again", "");
          return end();
        }
        const line = JSON.stringify(text);
        if (line !== shown) say(text.event, text.html);
        else if (now - heardMs > HEARTBEAT_MS) say("beat", "");
        shown = line;
        timer = setTimeout(() => void look(), everyMs);
      };
      ends.set(end, session.id);
      res.once("close", end);
      void look();
    },
    async export(res, session, run) {
      // Its "close" has been emitted already: nothing would free its place.
      if (res.destroyed) return;
      if (isFull(exports.values(), session, MAX_EXPORTS_OF_SESSION)) return void res.sendStatus(429);
      exports.set(res, session.id);
      res.once("close", () => exports.delete(res));
      await run();
    },
    endOf(sessionId) {
      for (const [end, id] of ends) if (id === sessionId) end();
    },
    endAll() {
      for (const end of [...ends.keys()]) end();
    },
    count: () => ends.size,
  };
}
