import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import type { Request, Response } from "express";
import { type Html, html } from "../html.ts";
import type { Session, Sessions } from "./sessions.ts";

/** Concurrent live updates and exports in this process. The gateway has the same limit. */
const MAX_OPEN = 20;
/** Browsers open at most six connections to a host. */
const MAX_STREAMS_PER_SESSION = 4;
const MAX_EXPORTS_PER_SESSION = 2;
/** The live updates of an operator who was removed end within a second. */
const CHECK_EVERY_MS = 500;
/** Less than the gateway's timeout for idle streams (30 s). */
const HEARTBEAT_MS = 10_000;
/** After this time the browser reconnects, with its current cookie. */
const MAX_STREAM_MS = 60_000;
const RETRY_MS = 1_000;
/** A connection is closed when this much is unread. */
const MAX_UNSENT_BYTES = 256 * 1_024;

/** Live updates of pages (server-sent events) and exports. They share a limit, and are for operators only. */
export interface Streams {
  /**
   * Sends a part of a page, and again whenever it changes. Too many streams are refused with 429, after which browsers
   * don't reconnect.
   * @param render throws if the data is unavailable. The page then says so and keeps its content.
   */
  open(req: Request, res: Response, session: Session, options: { everyMs: number; render: () => Promise<Html> }): void;
  /** Runs an export, or refuses it with 429 when too many are open. */
  export(res: Response, session: Session, run: () => Promise<void>): Promise<void>;
  endOf(sessionId: string): void;
  endAll(): void;
  count(): number;
}

/** @param options.isOperator whether a session's operator still is one. */
export function createStreams(options: {
  sessions: Sessions;
  isOperator: (session: Session) => Promise<boolean>;
  log: Logger;
}): Streams {
  const { sessions, isOperator, log } = options;
  const ends = new Map<() => void, string>();
  const exports = new Map<Response, string>();
  const isFull = (open: Iterable<string>, { id }: Session, maxPerSession: number) =>
    ends.size + exports.size >= MAX_OPEN || [...open].filter((each) => each === id).length >= maxPerSession;

  return {
    open(req, res, session, { everyMs, render }) {
      // If the client disconnected while the key was loading, "close" has already been emitted, and the stream would never end.
      if (res.destroyed || req.socket.destroyed) return;
      if (isFull(ends.values(), session, MAX_STREAMS_PER_SESSION)) return void res.sendStatus(429);
      res.set({ "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" });
      if (req.method === "HEAD") return void res.end();
      res.flushHeaders();
      res.write(`retry: ${RETRY_MS}\n\n`);
      const startMs = performance.now();
      let lastSentMs = startMs;
      let shown = "";
      let timer: NodeJS.Timeout | undefined;
      let checkTimer: NodeJS.Timeout | undefined;
      const send = (event: string, text: string) => {
        lastSentMs = performance.now();
        res.write(`event: ${event}\ndata: ${JSON.stringify(text)}\n\n`);
        if (res.writableLength > MAX_UNSENT_BYTES) res.destroy();
      };
      let isOver = false;
      const end = () => {
        clearTimeout(timer);
        clearTimeout(checkTimer);
        if (!ends.delete(end)) return;
        if (isOver || !sessions.isLive(session)) send("signed-out", "");
        res.end();
      };
      const update = async () => {
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
        if (now - startMs > MAX_STREAM_MS) {
          send("again", "");
          return end();
        }
        const line = JSON.stringify(text);
        if (line !== shown) send(text.event, text.html);
        else if (now - lastSentMs > HEARTBEAT_MS) send("beat", "");
        shown = line;
        timer = setTimeout(() => void update(), everyMs);
      };
      const check = async () => {
        if (!(await isOperator(session))) {
          sessions.end(session);
          isOver = true;
          end();
        } else if (ends.has(end)) checkTimer = setTimeout(() => void check(), CHECK_EVERY_MS);
      };
      ends.set(end, session.id);
      res.once("close", end);
      void update();
      void check();
    },
    async export(res, session, run) {
      // "close" has already been emitted, so its slot would never be released.
      if (res.destroyed) return;
      if (isFull(exports.values(), session, MAX_EXPORTS_PER_SESSION)) return void res.sendStatus(429);
      exports.set(res, session.id);
      res.once("close", () => exports.delete(res));
      await run().catch((error: NodeJS.ErrnoException) => {
        // The operator has canceled the download.
        if (!error.code?.startsWith("ERR_STREAM_")) throw error;
      });
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

/**
 * A part of a page that a script keeps up to date.
 * @param path of the events, each of which contains the new content.
 * @param content the current content, which is all that's shown without scripts.
 */
export function liveRegion(path: string, content: Html): Html {
  return html`<div class="live" data-live="${path}">
<p class="live-state" role="status" hidden></p>
<div data-live-content>
${content}
</div>
</div>`;
}
