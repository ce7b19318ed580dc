// Original file: proto/auth/v1/auth.proto

import type { AuditEntry as _geolookup_auth_v1_AuditEntry, AuditEntry__Output as _geolookup_auth_v1_AuditEntry__Output } from '../../../geolookup/auth/v1/AuditEntry.ts';

export interface ListEntriesResponse {
  'entries'?: readonly (_geolookup_auth_v1_AuditEntry)[];
  'nextPageToken'?: (string);
}

export interface ListEntriesResponse__Output {
  'entries': (_geolookup_auth_v1_AuditEntry__Output)[];
  'nextPageToken'?: (string);
}
