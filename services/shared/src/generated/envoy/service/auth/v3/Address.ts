// Original file: proto/envoy/service/auth/v3/external_auth.proto

import type { SocketAddress as _envoy_service_auth_v3_SocketAddress, SocketAddress__Output as _envoy_service_auth_v3_SocketAddress__Output } from '../../../../envoy/service/auth/v3/SocketAddress.ts';

export interface Address {
  'socketAddress'?: (_envoy_service_auth_v3_SocketAddress | null);
}

export interface Address__Output {
  'socketAddress'?: (_envoy_service_auth_v3_SocketAddress__Output);
}
