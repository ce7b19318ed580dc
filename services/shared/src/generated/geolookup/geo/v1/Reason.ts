// Original file: proto/geo/v1/geo.proto

/**
 * Why a place is complete or not.
 */
export const Reason = {
  REASON_UNSPECIFIED: 'REASON_UNSPECIFIED',
  /**
   * At least one database knows the address.
   */
  FOUND: 'FOUND',
  /**
   * Loopback, private, link-local, documentation and the like: never looked up.
   */
  NON_PUBLIC: 'NON_PUBLIC',
  /**
   * No database knows the address.
   */
  NOT_FOUND: 'NOT_FOUND',
  /**
   * Every database that might know it failed on it.
   */
  FAILED: 'FAILED',
} as const;

/**
 * Why a place is complete or not.
 */
export type Reason =
  | 'REASON_UNSPECIFIED'
  | 0
  /**
   * At least one database knows the address.
   */
  | 'FOUND'
  | 1
  /**
   * Loopback, private, link-local, documentation and the like: never looked up.
   */
  | 'NON_PUBLIC'
  | 2
  /**
   * No database knows the address.
   */
  | 'NOT_FOUND'
  | 3
  /**
   * Every database that might know it failed on it.
   */
  | 'FAILED'
  | 4

/**
 * Why a place is complete or not.
 */
export type Reason__Output = typeof Reason[keyof typeof Reason]
