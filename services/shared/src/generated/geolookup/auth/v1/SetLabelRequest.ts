// Original file: proto/auth/v1/auth.proto


export interface SetLabelRequest {
  'keyId'?: (string);
  'label'?: (string);
  'expectedVersion'?: (number);
}

export interface SetLabelRequest__Output {
  'keyId'?: (string);
  'label'?: (string);
  'expectedVersion'?: (number);
}
