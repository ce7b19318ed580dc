// Original file: proto/auth/v1/auth.proto

import type { Long } from '@grpc/proto-loader';

/**
 * What a key's requests count toward.
 */
export interface Quota {
  /**
   * The ID of a key or a customer.
   */
  'id'?: (string);
  'monthlyRequests'?: (number | string | Long);
  /**
   * "YYYY-MM", UTC: the month from which on it applies. Empty: now.
   */
  'from'?: (string);
}

/**
 * What a key's requests count toward.
 */
export interface Quota__Output {
  /**
   * The ID of a key or a customer.
   */
  'id'?: (string);
  'monthlyRequests'?: (number);
  /**
   * "YYYY-MM", UTC: the month from which on it applies. Empty: now.
   */
  'from'?: (string);
}
