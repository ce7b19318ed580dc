// Original file: proto/auth/v1/auth.proto

import type { Long } from '@grpc/proto-loader';

/**
 * Changes the fields that are set.
 */
export interface ChangeCustomerRequest {
  'id'?: (string);
  'name'?: (string);
  'plan'?: (string);
  'monthlyRequests'?: (number | string | Long);
  /**
   * Removes its own quota: the plan's applies.
   */
  'hasPlanQuota'?: (boolean);
  'expectedVersion'?: (number);
  '_name'?: "name";
  '_plan'?: "plan";
  '_monthlyRequests'?: "monthlyRequests";
}

/**
 * Changes the fields that are set.
 */
export interface ChangeCustomerRequest__Output {
  'id'?: (string);
  'name'?: (string);
  'plan'?: (string);
  'monthlyRequests'?: (number);
  /**
   * Removes its own quota: the plan's applies.
   */
  'hasPlanQuota'?: (boolean);
  'expectedVersion'?: (number);
}
