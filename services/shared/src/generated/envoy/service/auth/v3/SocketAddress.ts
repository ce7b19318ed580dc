// Original file: proto/envoy/service/auth/v3/external_auth.proto


export interface SocketAddress {
  'address'?: (string);
}

export interface SocketAddress__Output {
  'address'?: (string);
}
