// Original file: proto/auth/v1/auth.proto


export interface RemoveOperatorRequest {
  'name'?: (string);
}

export interface RemoveOperatorRequest__Output {
  'name'?: (string);
}
