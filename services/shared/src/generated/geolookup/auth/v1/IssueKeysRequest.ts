// Original file: proto/auth/v1/auth.proto

import type { IssueKeyRequest as _geolookup_auth_v1_IssueKeyRequest, IssueKeyRequest__Output as _geolookup_auth_v1_IssueKeyRequest__Output } from '../../../geolookup/auth/v1/IssueKeyRequest.ts';

export interface IssueKeysRequest {
  /**
   * At most 1,000.
   */
  'keys'?: readonly (_geolookup_auth_v1_IssueKeyRequest)[];
}

export interface IssueKeysRequest__Output {
  /**
   * At most 1,000.
   */
  'keys': (_geolookup_auth_v1_IssueKeyRequest__Output)[];
}
