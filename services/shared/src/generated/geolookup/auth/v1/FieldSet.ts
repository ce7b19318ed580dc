// Original file: proto/auth/v1/auth.proto

export const FieldSet = {
  FIELD_SET_UNSPECIFIED: 'FIELD_SET_UNSPECIFIED',
  FREE: 'FREE',
  PAID: 'PAID',
} as const;

export type FieldSet =
  | 'FIELD_SET_UNSPECIFIED'
  | 0
  | 'FREE'
  | 1
  | 'PAID'
  | 2

export type FieldSet__Output = typeof FieldSet[keyof typeof FieldSet]
