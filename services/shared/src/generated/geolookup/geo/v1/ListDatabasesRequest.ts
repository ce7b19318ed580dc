// Original file: proto/geo/v1/geo.proto


export interface ListDatabasesRequest {
}

export interface ListDatabasesRequest__Output {
}
