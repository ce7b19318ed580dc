// Original file: proto/auth/v1/auth.proto

import type { Long } from '@grpc/proto-loader';

export interface AddCustomerRequest {
  'id'?: (string);
  'name'?: (string);
  'plan'?: (string);
  'monthlyRequests'?: (number | string | Long);
  '_monthlyRequests'?: "monthlyRequests";
}

export interface AddCustomerRequest__Output {
  'id'?: (string);
  'name'?: (string);
  'plan'?: (string);
  'monthlyRequests'?: (number);
}
