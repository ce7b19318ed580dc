// Original file: proto/auth/v1/auth.proto


export interface SetMetadataRequest {
  'keyId'?: (string);
  'metadata'?: ({[key: string]: string});
  'expectedVersion'?: (number);
}

export interface SetMetadataRequest__Output {
  'keyId'?: (string);
  'metadata'?: ({[key: string]: string});
  'expectedVersion'?: (number);
}
