// Original file: proto/auth/v1/auth.proto

export const Outcome = {
  OUTCOME_UNSPECIFIED: 'OUTCOME_UNSPECIFIED',
  GRANTED: 'GRANTED',
  MALFORMED_KEY: 'MALFORMED_KEY',
  BAD_SIGNATURE: 'BAD_SIGNATURE',
  UNKNOWN_KEY: 'UNKNOWN_KEY',
  REVOKED_KEY: 'REVOKED_KEY',
  ORIGIN_NOT_ALLOWED: 'ORIGIN_NOT_ALLOWED',
} as const;

export type Outcome =
  | 'OUTCOME_UNSPECIFIED'
  | 0
  | 'GRANTED'
  | 1
  | 'MALFORMED_KEY'
  | 2
  | 'BAD_SIGNATURE'
  | 3
  | 'UNKNOWN_KEY'
  | 4
  | 'REVOKED_KEY'
  | 5
  | 'ORIGIN_NOT_ALLOWED'
  | 6

export type Outcome__Output = typeof Outcome[keyof typeof Outcome]
