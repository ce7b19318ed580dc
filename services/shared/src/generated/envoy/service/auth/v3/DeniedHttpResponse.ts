// Original file: proto/envoy/service/auth/v3/external_auth.proto

import type { HttpStatus as _envoy_service_auth_v3_HttpStatus, HttpStatus__Output as _envoy_service_auth_v3_HttpStatus__Output } from '../../../../envoy/service/auth/v3/HttpStatus.ts';
import type { HeaderValueOption as _envoy_service_auth_v3_HeaderValueOption, HeaderValueOption__Output as _envoy_service_auth_v3_HeaderValueOption__Output } from '../../../../envoy/service/auth/v3/HeaderValueOption.ts';

/**
 * What Envoy responds with.
 */
export interface DeniedHttpResponse {
  'status'?: (_envoy_service_auth_v3_HttpStatus | null);
  'headers'?: readonly (_envoy_service_auth_v3_HeaderValueOption)[];
  'body'?: (string);
}

/**
 * What Envoy responds with.
 */
export interface DeniedHttpResponse__Output {
  'status'?: (_envoy_service_auth_v3_HttpStatus__Output);
  'headers': (_envoy_service_auth_v3_HeaderValueOption__Output)[];
  'body'?: (string);
}
