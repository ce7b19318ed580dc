// Original file: proto/auth/v1/auth.proto


/**
 * A plan's limits besides its monthly quota. 0: not limited.
 */
export interface Limits {
  /**
   * Requests an hour for each caller of one key.
   */
  'perCallerHourly'?: (number);
  /**
   * Requests a second for each key, at one gateway.
   */
  'perSecond'?: (number);
  /**
   * How many can arrive at once. Set if per_second is.
   */
  'burst'?: (number);
}

/**
 * A plan's limits besides its monthly quota. 0: not limited.
 */
export interface Limits__Output {
  /**
   * Requests an hour for each caller of one key.
   */
  'perCallerHourly'?: (number);
  /**
   * Requests a second for each key, at one gateway.
   */
  'perSecond'?: (number);
  /**
   * How many can arrive at once. Set if per_second is.
   */
  'burst'?: (number);
}
