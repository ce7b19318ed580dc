// Original file: proto/geo/v1/geo.proto


export interface ExplainRequest {
  /**
   * As in LocateRequest.
   */
  'address'?: (string);
}

export interface ExplainRequest__Output {
  /**
   * As in LocateRequest.
   */
  'address'?: (string);
}
