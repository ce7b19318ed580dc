// Original file: proto/auth/v1/auth.proto


export interface SetOriginsRequest {
  'keyId'?: (string);
  'origins'?: readonly (string)[];
  'expectedVersion'?: (number);
}

export interface SetOriginsRequest__Output {
  'keyId'?: (string);
  'origins': (string)[];
  'expectedVersion'?: (number);
}
