// Original file: proto/auth/v1/auth.proto


export interface GetPlansRequest {
}

export interface GetPlansRequest__Output {
}
