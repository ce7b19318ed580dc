/** What one kind of requests has met. */
export interface Met {
  /** Responses by status. */
  statuses: Readonly<Record<string, number>>;
  /** Requests without a response, by reason. */
  errors: Readonly<Record<string, number>>;
  /** Milliseconds from the phase's start to the first of the 200s without a break since; null: fewer than 10. */
  goodAfterMs: number | null;
}

/** What the well-behaved client has met in one phase of a run. */
export interface Phase {
  seconds: number;
  /** Times to the API's 200s from when their requests were due, as a Histogram's counts. */
  latency: readonly number[];
  /** Requests still without a response. */
  unanswered: number;
  /** Requests to the API with its key. */
  api: Met;
  /** Pages of the docs host. */
  docs: Met;
}

export interface GoodClientOrder {
  kind: "begin";
  url: string;
  /** Authority that certificates are checked with, PEM; null: the system's. */
  ca: string | null;
  /** Whether the target takes callers' addresses from X-Forwarded-For: then each request has its own to look for. */
  isBelieved: boolean;
  docsHost: string;
  key: string;
  perSecond: number;
  docsPerSecond: number;
}

/** Asks for the phase so far; with `end phase` the next one begins at once. */
export interface GoodClientQuestion {
  kind: "look" | "end phase";
  id: number;
}
