// Original file: proto/auth/v1/auth.proto

import type { Verdict as _geolookup_auth_v1_Verdict, Verdict__Output as _geolookup_auth_v1_Verdict__Output } from '../../../geolookup/auth/v1/Verdict.ts';
import type { Long } from '@grpc/proto-loader';

export interface AuthorizeResponse {
  'verdicts'?: readonly (_geolookup_auth_v1_Verdict)[];
  /**
   * How far in the key log these verdicts know: the log's epoch, and the sequence of the last
   * event taken. A gateway's cache lets a newer event win over an older verdict.
   */
  'epoch'?: (string);
  'sequence'?: (number | string | Long);
  /**
   * Names the plans and signing keys that these verdicts go by: another name, other rules.
   */
  'rules'?: (string);
}

export interface AuthorizeResponse__Output {
  'verdicts': (_geolookup_auth_v1_Verdict__Output)[];
  /**
   * How far in the key log these verdicts know: the log's epoch, and the sequence of the last
   * event taken. A gateway's cache lets a newer event win over an older verdict.
   */
  'epoch'?: (string);
  'sequence'?: (number);
  /**
   * Names the plans and signing keys that these verdicts go by: another name, other rules.
   */
  'rules'?: (string);
}
