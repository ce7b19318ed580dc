// Original file: proto/geo/v1/geo.proto


export interface GetDataReportResponse {
  /**
   * The latest report as JSON, as services/shared/src/domain/data-report.ts describes it. Unset if there is none. It may be
   * about other databases than those in use.
   */
  'json'?: (string);
  /**
   * The SHA-256 hashes (hexadecimal) of this node's databases, in priority order.
   */
  'loadedSha256'?: readonly (string)[];
  '_json'?: "json";
}

export interface GetDataReportResponse__Output {
  /**
   * The latest report as JSON, as services/shared/src/domain/data-report.ts describes it. Unset if there is none. It may be
   * about other databases than those in use.
   */
  'json'?: (string);
  /**
   * The SHA-256 hashes (hexadecimal) of this node's databases, in priority order.
   */
  'loadedSha256': (string)[];
}
