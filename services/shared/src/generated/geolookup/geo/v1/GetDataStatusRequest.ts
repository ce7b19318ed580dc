// Original file: proto/geo/v1/geo.proto


export interface GetDataStatusRequest {
}

export interface GetDataStatusRequest__Output {
}
