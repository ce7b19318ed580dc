// Original file: proto/auth/v1/auth.proto


export interface ListOperatorsRequest {
}

export interface ListOperatorsRequest__Output {
}
