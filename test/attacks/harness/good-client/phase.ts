/** The outcomes of one kind of request. */
export interface Observed {
  /** Responses by status. */
  statuses: Readonly<Record<string, number>>;
  /** Requests without a response, by reason. */
  errors: Readonly<Record<string, number>>;
  /** Milliseconds from the phase's start to the first of the 200s without a break since; null: fewer than 10. */
  goodAfterMs: number | null;
}

/** The well-behaved client's outcomes in one phase of a run. */
export interface Phase {
  seconds: number;
  /** 99th percentile of the times to the API's 200s from when their requests were due; 0 without any. */
  p99Ms: number;
  /** Requests still without a response. */
  unanswered: number;
  /** Requests to the API with its key. */
  api: Observed;
  /** Pages of the docs host. */
  docs: Observed;
}

export interface GoodClientOrder {
  kind: "begin";
  url: string;
  /** Authority that certificates are checked with, PEM; null: the system's. */
  ca: string | null;
  docsHost: string;
  key: string;
  perSecond: number;
  docsPerSecond: number;
}

/** Requests the outcomes of the current phase; `end phase` also starts the next one. */
export interface GoodClientQuestion {
  kind: "look" | "end phase";
  id: number;
}
