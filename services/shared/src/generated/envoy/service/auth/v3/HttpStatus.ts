// Original file: proto/envoy/service/auth/v3/external_auth.proto


export interface HttpStatus {
  /**
   * An enum in Envoy's API, whose numbers are those of HTTP.
   */
  'code'?: (number);
}

export interface HttpStatus__Output {
  /**
   * An enum in Envoy's API, whose numbers are those of HTTP.
   */
  'code'?: (number);
}
