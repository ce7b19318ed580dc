// Original file: proto/geo/v1/geo.proto


export interface GetDataReportRequest {
}

export interface GetDataReportRequest__Output {
}
