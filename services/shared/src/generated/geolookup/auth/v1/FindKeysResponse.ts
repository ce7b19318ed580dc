// Original file: proto/auth/v1/auth.proto

import type { FoundKey as _geolookup_auth_v1_FoundKey, FoundKey__Output as _geolookup_auth_v1_FoundKey__Output } from '../../../geolookup/auth/v1/FoundKey.ts';

export interface FindKeysResponse {
  'found'?: readonly (_geolookup_auth_v1_FoundKey)[];
}

export interface FindKeysResponse__Output {
  'found': (_geolookup_auth_v1_FoundKey__Output)[];
}
