// Original file: proto/envoy/service/auth/v3/external_auth.proto

import type { Address as _envoy_service_auth_v3_Address, Address__Output as _envoy_service_auth_v3_Address__Output } from '../../../../envoy/service/auth/v3/Address.ts';
import type { HeaderMap as _envoy_service_auth_v3_HeaderMap, HeaderMap__Output as _envoy_service_auth_v3_HeaderMap__Output } from '../../../../envoy/service/auth/v3/HeaderMap.ts';

export interface _envoy_service_auth_v3_AttributeContext_HttpRequest {
  /**
   * By name, in lower case. Values of repeated headers are joined with commas.
   */
  'headers'?: ({[key: string]: string});
  /**
   * Instead of `headers`, with encode_raw_headers.
   */
  'headerMap'?: (_envoy_service_auth_v3_HeaderMap | null);
}

export interface _envoy_service_auth_v3_AttributeContext_HttpRequest__Output {
  /**
   * By name, in lower case. Values of repeated headers are joined with commas.
   */
  'headers'?: ({[key: string]: string});
  /**
   * Instead of `headers`, with encode_raw_headers.
   */
  'headerMap'?: (_envoy_service_auth_v3_HeaderMap__Output);
}

export interface _envoy_service_auth_v3_AttributeContext_Peer {
  'address'?: (_envoy_service_auth_v3_Address | null);
}

export interface _envoy_service_auth_v3_AttributeContext_Peer__Output {
  'address'?: (_envoy_service_auth_v3_Address__Output);
}

export interface _envoy_service_auth_v3_AttributeContext_Request {
  'http'?: (_envoy_service_auth_v3_AttributeContext_HttpRequest | null);
}

export interface _envoy_service_auth_v3_AttributeContext_Request__Output {
  'http'?: (_envoy_service_auth_v3_AttributeContext_HttpRequest__Output);
}

export interface AttributeContext {
  /**
   * Who is connected to Envoy.
   */
  'source'?: (_envoy_service_auth_v3_AttributeContext_Peer | null);
  'request'?: (_envoy_service_auth_v3_AttributeContext_Request | null);
}

export interface AttributeContext__Output {
  /**
   * Who is connected to Envoy.
   */
  'source'?: (_envoy_service_auth_v3_AttributeContext_Peer__Output);
  'request'?: (_envoy_service_auth_v3_AttributeContext_Request__Output);
}
