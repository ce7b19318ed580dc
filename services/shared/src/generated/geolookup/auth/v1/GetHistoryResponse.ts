// Original file: proto/auth/v1/auth.proto

import type { Event as _geolookup_auth_v1_Event, Event__Output as _geolookup_auth_v1_Event__Output } from '../../../geolookup/auth/v1/Event.ts';

export interface GetHistoryResponse {
  /**
   * Oldest first.
   */
  'events'?: readonly (_geolookup_auth_v1_Event)[];
}

export interface GetHistoryResponse__Output {
  /**
   * Oldest first.
   */
  'events': (_geolookup_auth_v1_Event__Output)[];
}
