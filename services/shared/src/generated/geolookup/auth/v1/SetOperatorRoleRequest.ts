// Original file: proto/auth/v1/auth.proto


export interface SetOperatorRoleRequest {
  'name'?: (string);
  'role'?: (string);
}

export interface SetOperatorRoleRequest__Output {
  'name'?: (string);
  'role'?: (string);
}
