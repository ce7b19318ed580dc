/** What somebody did, once it happened. It has no keys, tokens or addresses. */
export interface AuditEntry {
  /** Unique. Of an event in a log: the event's. */
  id: string;
  /** RFC 3339, UTC. */
  at: string;
  /** The operator, `plans file` or `demo`. Empty: unknown. */
  by: string;
  /** Such as `KeyIssued`, `OperatorAdded` or `SignInRefused`. */
  action: string;
  /** The ID of a key or customer, the name of an operator, `plans`, or how somebody signed in. */
  subject: string;
  /** The changed properties. Absent: none. */
  before?: object;
  after?: object;
  /** How many of them this entry sums up. Absent: one. */
  count?: number;
}

/** How far a log was projected to the audit trail: up to this event. */
export interface AuditPosition {
  sequence: number;
  eventId: string;
}

/** How far each log was projected, by a name for the log. */
export type AuditPositions = Readonly<Record<string, AuditPosition>>;

/** What to list. Absent: any. */
export interface AuditQuery {
  since?: string;
  until?: string;
  by?: string;
  action?: string;
  subject?: string;
  /** Whether the one who asks may see an entry with this action. */
  isVisible: (action: string) => boolean;
  /** The maximum number of entries, at least 1. */
  pageSize: number;
  /** The `next` of the previous page; null: the first page. */
  after: string | null;
}

/** A page of entries, newest first. It can be short, or even empty, without being the last. */
export interface AuditPage {
  entries: AuditEntry[];
  /** Null on the last page. */
  next: string | null;
}

/** The bounded store of audit entries: files, or a JetStream stream in a cluster. Both pass one suite. */
export interface AuditLog extends AsyncDisposable {
  /**
   * Stores entries, those that it doesn't have yet, with how far the logs were projected before them.
   * @returns the entries that it stored.
   * @throws ServiceError `unavailable`: none, or some of them, were stored. Then append the same ones again.
   */
  append(entries: readonly AuditEntry[], positions: AuditPositions): Promise<AuditEntry[]>;
  /** The positions of the last entry; null if there is none. @throws ServiceError `unavailable` */
  positions(): Promise<AuditPositions | null>;
  /** @throws ServiceError `invalid` for an unknown `after`, `unavailable` */
  list(query: AuditQuery): Promise<AuditPage>;
}

/** Whether a query asks for an entry. */
export function matches(entry: AuditEntry, query: AuditQuery): boolean {
  const { since, until, by, action, subject } = query;
  return (
    query.isVisible(entry.action) &&
    (since === undefined || entry.at >= since) &&
    (until === undefined || entry.at < until) &&
    (by === undefined || entry.by === by) &&
    (action === undefined || entry.action === action) &&
    (subject === undefined || entry.subject === subject)
  );
}
