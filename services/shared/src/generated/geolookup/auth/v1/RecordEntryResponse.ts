// Original file: proto/auth/v1/auth.proto


export interface RecordEntryResponse {
}

export interface RecordEntryResponse__Output {
}
