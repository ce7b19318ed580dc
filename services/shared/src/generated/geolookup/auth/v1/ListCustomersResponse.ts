// Original file: proto/auth/v1/auth.proto

import type { Customer as _geolookup_auth_v1_Customer, Customer__Output as _geolookup_auth_v1_Customer__Output } from '../../../geolookup/auth/v1/Customer.ts';

export interface ListCustomersResponse {
  /**
   * In the order in which they were added.
   */
  'customers'?: readonly (_geolookup_auth_v1_Customer)[];
  'nextPageToken'?: (string);
  'total'?: (number);
}

export interface ListCustomersResponse__Output {
  /**
   * In the order in which they were added.
   */
  'customers': (_geolookup_auth_v1_Customer__Output)[];
  'nextPageToken'?: (string);
  'total'?: (number);
}
