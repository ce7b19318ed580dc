import { auditEntryFromWire } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { AUDIT } from "@geolookup/shared/runtime/grpc/services.ts";
import { alignColumns, type CommandContext, printResult } from "../command-line.ts";
import { openAuth, pagesOf } from "../keys/admin-client.ts";

/** Which entries to show; an empty string matches every entry. */
export interface AuditFilter {
  /** RFC 3339, UTC. */
  since: string;
  until: string;
  by: string;
  action: string;
  subject: string;
}

/** Shows the entries that match, newest first. @throws StartError, ServiceError */
export async function runAudit(
  context: CommandContext,
  { json, ndjson, ...filter }: Partial<AuditFilter> & { json?: boolean; ndjson?: boolean },
): Promise<number> {
  using service = openAuth(context.environment);
  const entries: ReturnType<typeof auditEntryFromWire>[] = [];
  for await (const page of pagesOf(service, AUDIT.ListEntries, filter)) {
    const views = page.entries.map(auditEntryFromWire);
    if (ndjson) context.print(views.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    else entries.push(...views);
  }
  if (!ndjson) printResult(context, { json: entries, text: auditTable(entries) }, json);
  return 0;
}

function auditTable(entries: readonly ReturnType<typeof auditEntryFromWire>[]): string {
  if (entries.length === 0) return "No entry matches.\n";
  const changed = (value: unknown) => (value === null ? "-" : JSON.stringify(value));
  return alignColumns([
    ["AT", "BY", "ACTION", "SUBJECT", "BEFORE", "AFTER"],
    ...entries.map(({ at, by, action, subject, before, after, count }) => [
      ...[at, by, count > 1 ? `${action} (${count} times)` : action, subject, changed(before), changed(after)],
    ]),
  ]);
}
