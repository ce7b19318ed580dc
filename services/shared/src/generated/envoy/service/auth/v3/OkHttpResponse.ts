// Original file: proto/envoy/service/auth/v3/external_auth.proto

import type { HeaderValueOption as _envoy_service_auth_v3_HeaderValueOption, HeaderValueOption__Output as _envoy_service_auth_v3_HeaderValueOption__Output } from '../../../../envoy/service/auth/v3/HeaderValueOption.ts';

/**
 * Changes to the request.
 */
export interface OkHttpResponse {
  'headers'?: readonly (_envoy_service_auth_v3_HeaderValueOption)[];
}

/**
 * Changes to the request.
 */
export interface OkHttpResponse__Output {
  'headers': (_envoy_service_auth_v3_HeaderValueOption__Output)[];
}
