// Original file: proto/geo/v1/geo.proto


export interface ExplainRequest {
  /**
   * In the form of LocateRequest.
   */
  'address'?: (string);
}

export interface ExplainRequest__Output {
  /**
   * In the form of LocateRequest.
   */
  'address'?: (string);
}
