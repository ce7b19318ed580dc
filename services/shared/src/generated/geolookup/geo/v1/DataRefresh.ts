// Original file: proto/geo/v1/geo.proto


/**
 * Times are RFC 3339, UTC.
 */
export interface DataRefresh {
  'nextRunAt'?: (string);
  /**
   * Empty before the end of the first run.
   */
  'lastRunAt'?: (string);
  /**
   * "updated", "unchanged", "refused" or "failed".
   */
  'lastOutcome'?: (string);
  /**
   * One line for the operator. Empty if the last run was successful.
   */
  'problem'?: (string);
}

/**
 * Times are RFC 3339, UTC.
 */
export interface DataRefresh__Output {
  'nextRunAt'?: (string);
  /**
   * Empty before the end of the first run.
   */
  'lastRunAt'?: (string);
  /**
   * "updated", "unchanged", "refused" or "failed".
   */
  'lastOutcome'?: (string);
  /**
   * One line for the operator. Empty if the last run was successful.
   */
  'problem'?: (string);
}
