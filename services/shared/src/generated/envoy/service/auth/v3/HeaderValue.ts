// Original file: proto/envoy/service/auth/v3/external_auth.proto


export interface HeaderValue {
  'key'?: (string);
  'value'?: (string);
  /**
   * Instead of `value`, with encode_raw_headers.
   */
  'rawValue'?: (Buffer | Uint8Array | string);
}

export interface HeaderValue__Output {
  'key'?: (string);
  'value'?: (string);
  /**
   * Instead of `value`, with encode_raw_headers.
   */
  'rawValue'?: (Buffer);
}
