import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { Logger } from "@geolookup/shared/runtime/log.ts";
import type { Request, Response } from "express";
import type { Html } from "../html.ts";
import type { Session, Sessions } from "./sessions.ts";

/** Open at once, in this process and for one operator: browsers have six connections to a host. */
const MOST = 40;
const MOST_OF_SESSION = 4;
/** Below what the gateway waits for a silent stream (30 s). */
const HEARTBEAT_MS = 10_000;
/** Then the browser asks again, with the cookie that it has by then. */
const LONGEST_MS = 60_000;
const RETRY_MS = 1_000;
/** A reader that takes nothing is given up. */
const MOST_UNSENT_BYTES = 256 * 1_024;

/** Live parts of pages, as server-sent events. */
export interface Streams {
  /**
   * Keeps a part of a page current: sends it as it is, and again whenever it has changed. Too many streams are refused
   * with 429, which ends a browser's tries.
   * @param render throws when it cannot be told just now: the page says so, and is kept as it was.
   */
  open(req: Request, res: Response, session: Session, options: { everyMs: number; render: () => Promise<Html> }): void;
  endOf(sessionId: string): void;
  endAll(): void;
  count(): number;
}

export function createStreams({ sessions, log }: { sessions: Sessions; log: Logger }): Streams {
  const ends = new Map<() => void, string>();

  return {
    open(req, res, session, { everyMs, render }) {
      // Whoever asked may have left while the key was looked up: nothing would end its stream before its time.
      if (res.destroyed || req.socket.destroyed) return;
      const ofSession = [...ends.values()].filter((id) => id === session.id).length;
      if (ends.size >= MOST || ofSession >= MOST_OF_SESSION) return void res.sendStatus(429);
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
            if (!(error instanceof ServiceError)) log.error({ err: error }, "a live part of the console failed");
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
    endOf(sessionId) {
      for (const [end, id] of ends) if (id === sessionId) end();
    },
    endAll() {
      for (const end of [...ends.keys()]) end();
    },
    count: () => ends.size,
  };
}
