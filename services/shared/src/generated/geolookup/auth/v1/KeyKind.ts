// Original file: proto/auth/v1/auth.proto

export const KeyKind = {
  KEY_KIND_UNSPECIFIED: 'KEY_KIND_UNSPECIFIED',
  PUBLISHABLE: 'PUBLISHABLE',
  SECRET: 'SECRET',
} as const;

export type KeyKind =
  | 'KEY_KIND_UNSPECIFIED'
  | 0
  | 'PUBLISHABLE'
  | 1
  | 'SECRET'
  | 2

export type KeyKind__Output = typeof KeyKind[keyof typeof KeyKind]
