/** The month of a moment (UTC), as in the names of DB-IP's files: `2026-11`. */
export function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}

/** The month before: `2025-12` for `2026-01`. */
export function previousMonth(month: string): string {
  return monthOf(firstMsOf(month) - 1);
}

/** When a month starts (UTC), milliseconds since the Unix epoch. */
export function firstMsOf(month: string): number {
  return Date.parse(`${month}-01T00:00:00Z`);
}
