import { ADMIN } from "@geolookup/shared/domain/operators.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { AuditEntry as WireEntry } from "@geolookup/shared/generated/geolookup/auth/v1/AuditEntry.ts";
import type { AuditEntry } from "@geolookup/shared/logs/audit/audit-log.ts";
import { callerOf, type Identify, type ServedService, serve } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { AUDIT } from "@geolookup/shared/runtime/grpc/services.ts";
import type { AuditTrail } from "./trail.ts";

const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 1_000;

/** Serves Audit of proto/auth/v1. */
export function auditService(trail: AuditTrail, identify: Identify): ServedService {
  return serve(
    AUDIT,
    {
      ListEntries: async ({ since, until, by, action, subject, pageSize, pageToken }, metadata) => {
        const query = {
          ...(since && { since: readTime(since) }),
          ...(until && { until: readTime(until) }),
          ...(by && { by }),
          ...(action && { action }),
          ...(subject && { subject }),
          pageSize: Math.min(pageSize || DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE),
          after: pageToken || null,
        };
        const { entries, next } = await trail.list(query, callerOf(metadata));
        return { entries: entries.map(entryToWire), nextPageToken: next ?? "" };
      },
      RecordEntry: async ({ action = "", by = "", subject = "" }, metadata) => {
        if (callerOf(metadata).name !== ADMIN)
          throw new ServiceError("forbidden", "only the portal records sign-ins, with ADMIN_TOKEN");
        await trail.signedIn(action, by, subject);
        return {};
      },
    },
    { identify },
  );
}

function entryToWire({ before, after, ...entry }: AuditEntry): WireEntry {
  const json = (value: object | undefined) => (value ? JSON.stringify(value) : "");
  return { ...entry, beforeJson: json(before), afterJson: json(after) };
}

/** @returns the time in the form of entries, so that both can be compared as text. */
function readTime(text: string): string {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new ServiceError("invalid", "since and until must be times such as 2027-01-01T00:00:00Z");
  return new Date(ms).toISOString();
}
