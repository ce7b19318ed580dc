// Original file: proto/geo/v1/geo.proto

/**
 * Why a place is or isn't known.
 */
export const Reason = {
  REASON_UNSPECIFIED: 'REASON_UNSPECIFIED',
  /**
   * At least one database has the address.
   */
  FOUND: 'FOUND',
  /**
   * Loopback, private, link-local, documentation and similar addresses. They aren't looked up.
   */
  NON_PUBLIC: 'NON_PUBLIC',
  /**
   * No database has the address.
   */
  NOT_FOUND: 'NOT_FOUND',
  /**
   * The lookup failed in every database that could have the address.
   */
  FAILED: 'FAILED',
} as const;

/**
 * Why a place is or isn't known.
 */
export type Reason =
  | 'REASON_UNSPECIFIED'
  | 0
  /**
   * At least one database has the address.
   */
  | 'FOUND'
  | 1
  /**
   * Loopback, private, link-local, documentation and similar addresses. They aren't looked up.
   */
  | 'NON_PUBLIC'
  | 2
  /**
   * No database has the address.
   */
  | 'NOT_FOUND'
  | 3
  /**
   * The lookup failed in every database that could have the address.
   */
  | 'FAILED'
  | 4

/**
 * Why a place is or isn't known.
 */
export type Reason__Output = typeof Reason[keyof typeof Reason]
