// Original file: proto/geo/v1/geo.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ExplainRequest as _geolookup_geo_v1_ExplainRequest, ExplainRequest__Output as _geolookup_geo_v1_ExplainRequest__Output } from '../../../geolookup/geo/v1/ExplainRequest.ts';
import type { ExplainResponse as _geolookup_geo_v1_ExplainResponse, ExplainResponse__Output as _geolookup_geo_v1_ExplainResponse__Output } from '../../../geolookup/geo/v1/ExplainResponse.ts';
import type { GetDataReportRequest as _geolookup_geo_v1_GetDataReportRequest, GetDataReportRequest__Output as _geolookup_geo_v1_GetDataReportRequest__Output } from '../../../geolookup/geo/v1/GetDataReportRequest.ts';
import type { GetDataReportResponse as _geolookup_geo_v1_GetDataReportResponse, GetDataReportResponse__Output as _geolookup_geo_v1_GetDataReportResponse__Output } from '../../../geolookup/geo/v1/GetDataReportResponse.ts';
import type { GetDataStatusRequest as _geolookup_geo_v1_GetDataStatusRequest, GetDataStatusRequest__Output as _geolookup_geo_v1_GetDataStatusRequest__Output } from '../../../geolookup/geo/v1/GetDataStatusRequest.ts';
import type { GetDataStatusResponse as _geolookup_geo_v1_GetDataStatusResponse, GetDataStatusResponse__Output as _geolookup_geo_v1_GetDataStatusResponse__Output } from '../../../geolookup/geo/v1/GetDataStatusResponse.ts';
import type { ListDatabasesRequest as _geolookup_geo_v1_ListDatabasesRequest, ListDatabasesRequest__Output as _geolookup_geo_v1_ListDatabasesRequest__Output } from '../../../geolookup/geo/v1/ListDatabasesRequest.ts';
import type { ListDatabasesResponse as _geolookup_geo_v1_ListDatabasesResponse, ListDatabasesResponse__Output as _geolookup_geo_v1_ListDatabasesResponse__Output } from '../../../geolookup/geo/v1/ListDatabasesResponse.ts';
import type { LocateRequest as _geolookup_geo_v1_LocateRequest, LocateRequest__Output as _geolookup_geo_v1_LocateRequest__Output } from '../../../geolookup/geo/v1/LocateRequest.ts';
import type { LocateResponse as _geolookup_geo_v1_LocateResponse, LocateResponse__Output as _geolookup_geo_v1_LocateResponse__Output } from '../../../geolookup/geo/v1/LocateResponse.ts';

/**
 * Locates IP addresses. One request carries many lookups. Version 0.1 also had `LocateStream`. Its gateways call Locate where that
 * is unimplemented, so no other method may have the name.
 */
export interface GeoClient extends grpc.Client {
  /**
   * Shows what each source knows about an address, for operators.
   */
  Explain(argument: _geolookup_geo_v1_ExplainRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_geo_v1_ExplainResponse__Output>): grpc.ClientUnaryCall;
  Explain(argument: _geolookup_geo_v1_ExplainRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_geo_v1_ExplainResponse__Output>): grpc.ClientUnaryCall;
  Explain(argument: _geolookup_geo_v1_ExplainRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_geo_v1_ExplainResponse__Output>): grpc.ClientUnaryCall;
  Explain(argument: _geolookup_geo_v1_ExplainRequest, callback: grpc.requestCallback<_geolookup_geo_v1_ExplainResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Shows what each source knows about an address, for operators.
   */
  explain(argument: _geolookup_geo_v1_ExplainRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_geo_v1_ExplainResponse__Output>): grpc.ClientUnaryCall;
  explain(argument: _geolookup_geo_v1_ExplainRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_geo_v1_ExplainResponse__Output>): grpc.ClientUnaryCall;
  explain(argument: _geolookup_geo_v1_ExplainRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_geo_v1_ExplainResponse__Output>): grpc.ClientUnaryCall;
  explain(argument: _geolookup_geo_v1_ExplainRequest, callback: grpc.requestCallback<_geolookup_geo_v1_ExplainResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Returns the report about the quality of the data, for operators, if one was made.
   */
  GetDataReport(argument: _geolookup_geo_v1_GetDataReportRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_geo_v1_GetDataReportResponse__Output>): grpc.ClientUnaryCall;
  GetDataReport(argument: _geolookup_geo_v1_GetDataReportRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_geo_v1_GetDataReportResponse__Output>): grpc.ClientUnaryCall;
  GetDataReport(argument: _geolookup_geo_v1_GetDataReportRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_geo_v1_GetDataReportResponse__Output>): grpc.ClientUnaryCall;
  GetDataReport(argument: _geolookup_geo_v1_GetDataReportRequest, callback: grpc.requestCallback<_geolookup_geo_v1_GetDataReportResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Returns the report about the quality of the data, for operators, if one was made.
   */
  getDataReport(argument: _geolookup_geo_v1_GetDataReportRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_geo_v1_GetDataReportResponse__Output>): grpc.ClientUnaryCall;
  getDataReport(argument: _geolookup_geo_v1_GetDataReportRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_geo_v1_GetDataReportResponse__Output>): grpc.ClientUnaryCall;
  getDataReport(argument: _geolookup_geo_v1_GetDataReportRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_geo_v1_GetDataReportResponse__Output>): grpc.ClientUnaryCall;
  getDataReport(argument: _geolookup_geo_v1_GetDataReportRequest, callback: grpc.requestCallback<_geolookup_geo_v1_GetDataReportResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Says where the data in use comes from, for operators.
   */
  GetDataStatus(argument: _geolookup_geo_v1_GetDataStatusRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_geo_v1_GetDataStatusResponse__Output>): grpc.ClientUnaryCall;
  GetDataStatus(argument: _geolookup_geo_v1_GetDataStatusRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_geo_v1_GetDataStatusResponse__Output>): grpc.ClientUnaryCall;
  GetDataStatus(argument: _geolookup_geo_v1_GetDataStatusRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_geo_v1_GetDataStatusResponse__Output>): grpc.ClientUnaryCall;
  GetDataStatus(argument: _geolookup_geo_v1_GetDataStatusRequest, callback: grpc.requestCallback<_geolookup_geo_v1_GetDataStatusResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Says where the data in use comes from, for operators.
   */
  getDataStatus(argument: _geolookup_geo_v1_GetDataStatusRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_geo_v1_GetDataStatusResponse__Output>): grpc.ClientUnaryCall;
  getDataStatus(argument: _geolookup_geo_v1_GetDataStatusRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_geo_v1_GetDataStatusResponse__Output>): grpc.ClientUnaryCall;
  getDataStatus(argument: _geolookup_geo_v1_GetDataStatusRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_geo_v1_GetDataStatusResponse__Output>): grpc.ClientUnaryCall;
  getDataStatus(argument: _geolookup_geo_v1_GetDataStatusRequest, callback: grpc.requestCallback<_geolookup_geo_v1_GetDataStatusResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Lists the databases of this node, in priority order.
   */
  ListDatabases(argument: _geolookup_geo_v1_ListDatabasesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_geo_v1_ListDatabasesResponse__Output>): grpc.ClientUnaryCall;
  ListDatabases(argument: _geolookup_geo_v1_ListDatabasesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_geo_v1_ListDatabasesResponse__Output>): grpc.ClientUnaryCall;
  ListDatabases(argument: _geolookup_geo_v1_ListDatabasesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_geo_v1_ListDatabasesResponse__Output>): grpc.ClientUnaryCall;
  ListDatabases(argument: _geolookup_geo_v1_ListDatabasesRequest, callback: grpc.requestCallback<_geolookup_geo_v1_ListDatabasesResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Lists the databases of this node, in priority order.
   */
  listDatabases(argument: _geolookup_geo_v1_ListDatabasesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_geo_v1_ListDatabasesResponse__Output>): grpc.ClientUnaryCall;
  listDatabases(argument: _geolookup_geo_v1_ListDatabasesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_geo_v1_ListDatabasesResponse__Output>): grpc.ClientUnaryCall;
  listDatabases(argument: _geolookup_geo_v1_ListDatabasesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_geo_v1_ListDatabasesResponse__Output>): grpc.ClientUnaryCall;
  listDatabases(argument: _geolookup_geo_v1_ListDatabasesRequest, callback: grpc.requestCallback<_geolookup_geo_v1_ListDatabasesResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Returns one result per address, in the order of the request.
   */
  Locate(argument: _geolookup_geo_v1_LocateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_geo_v1_LocateResponse__Output>): grpc.ClientUnaryCall;
  Locate(argument: _geolookup_geo_v1_LocateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_geo_v1_LocateResponse__Output>): grpc.ClientUnaryCall;
  Locate(argument: _geolookup_geo_v1_LocateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_geo_v1_LocateResponse__Output>): grpc.ClientUnaryCall;
  Locate(argument: _geolookup_geo_v1_LocateRequest, callback: grpc.requestCallback<_geolookup_geo_v1_LocateResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Returns one result per address, in the order of the request.
   */
  locate(argument: _geolookup_geo_v1_LocateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_geo_v1_LocateResponse__Output>): grpc.ClientUnaryCall;
  locate(argument: _geolookup_geo_v1_LocateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_geo_v1_LocateResponse__Output>): grpc.ClientUnaryCall;
  locate(argument: _geolookup_geo_v1_LocateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_geo_v1_LocateResponse__Output>): grpc.ClientUnaryCall;
  locate(argument: _geolookup_geo_v1_LocateRequest, callback: grpc.requestCallback<_geolookup_geo_v1_LocateResponse__Output>): grpc.ClientUnaryCall;
  
}

/**
 * Locates IP addresses. One request carries many lookups. Version 0.1 also had `LocateStream`. Its gateways call Locate where that
 * is unimplemented, so no other method may have the name.
 */
export interface GeoHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Shows what each source knows about an address, for operators.
   */
  Explain: grpc.handleUnaryCall<_geolookup_geo_v1_ExplainRequest__Output, _geolookup_geo_v1_ExplainResponse>;
  
  /**
   * Returns the report about the quality of the data, for operators, if one was made.
   */
  GetDataReport: grpc.handleUnaryCall<_geolookup_geo_v1_GetDataReportRequest__Output, _geolookup_geo_v1_GetDataReportResponse>;
  
  /**
   * Says where the data in use comes from, for operators.
   */
  GetDataStatus: grpc.handleUnaryCall<_geolookup_geo_v1_GetDataStatusRequest__Output, _geolookup_geo_v1_GetDataStatusResponse>;
  
  /**
   * Lists the databases of this node, in priority order.
   */
  ListDatabases: grpc.handleUnaryCall<_geolookup_geo_v1_ListDatabasesRequest__Output, _geolookup_geo_v1_ListDatabasesResponse>;
  
  /**
   * Returns one result per address, in the order of the request.
   */
  Locate: grpc.handleUnaryCall<_geolookup_geo_v1_LocateRequest__Output, _geolookup_geo_v1_LocateResponse>;
  
}

export interface GeoDefinition extends grpc.ServiceDefinition {
  Explain: MethodDefinition<_geolookup_geo_v1_ExplainRequest, _geolookup_geo_v1_ExplainResponse, _geolookup_geo_v1_ExplainRequest__Output, _geolookup_geo_v1_ExplainResponse__Output>
  GetDataReport: MethodDefinition<_geolookup_geo_v1_GetDataReportRequest, _geolookup_geo_v1_GetDataReportResponse, _geolookup_geo_v1_GetDataReportRequest__Output, _geolookup_geo_v1_GetDataReportResponse__Output>
  GetDataStatus: MethodDefinition<_geolookup_geo_v1_GetDataStatusRequest, _geolookup_geo_v1_GetDataStatusResponse, _geolookup_geo_v1_GetDataStatusRequest__Output, _geolookup_geo_v1_GetDataStatusResponse__Output>
  ListDatabases: MethodDefinition<_geolookup_geo_v1_ListDatabasesRequest, _geolookup_geo_v1_ListDatabasesResponse, _geolookup_geo_v1_ListDatabasesRequest__Output, _geolookup_geo_v1_ListDatabasesResponse__Output>
  Locate: MethodDefinition<_geolookup_geo_v1_LocateRequest, _geolookup_geo_v1_LocateResponse, _geolookup_geo_v1_LocateRequest__Output, _geolookup_geo_v1_LocateResponse__Output>
}
