// Original file: proto/usage/v1/usage.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetChangesRequest as _geolookup_usage_v1_GetChangesRequest, GetChangesRequest__Output as _geolookup_usage_v1_GetChangesRequest__Output } from '../../../geolookup/usage/v1/GetChangesRequest.ts';
import type { GetChangesResponse as _geolookup_usage_v1_GetChangesResponse, GetChangesResponse__Output as _geolookup_usage_v1_GetChangesResponse__Output } from '../../../geolookup/usage/v1/GetChangesResponse.ts';
import type { GetTotalsRequest as _geolookup_usage_v1_GetTotalsRequest, GetTotalsRequest__Output as _geolookup_usage_v1_GetTotalsRequest__Output } from '../../../geolookup/usage/v1/GetTotalsRequest.ts';
import type { GetTotalsResponse as _geolookup_usage_v1_GetTotalsResponse, GetTotalsResponse__Output as _geolookup_usage_v1_GetTotalsResponse__Output } from '../../../geolookup/usage/v1/GetTotalsResponse.ts';

/**
 * Usage at other gateways, for gateways. Every request excludes the counts of the gateway that sends it.
 */
export interface TotalsClient extends grpc.Client {
  /**
   * Returns the totals that grew since the previous call. A gateway that calls it every second always has current totals.
   */
  GetChanges(argument: _geolookup_usage_v1_GetChangesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetChangesResponse__Output>): grpc.ClientUnaryCall;
  GetChanges(argument: _geolookup_usage_v1_GetChangesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_usage_v1_GetChangesResponse__Output>): grpc.ClientUnaryCall;
  GetChanges(argument: _geolookup_usage_v1_GetChangesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetChangesResponse__Output>): grpc.ClientUnaryCall;
  GetChanges(argument: _geolookup_usage_v1_GetChangesRequest, callback: grpc.requestCallback<_geolookup_usage_v1_GetChangesResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Returns the totals that grew since the previous call. A gateway that calls it every second always has current totals.
   */
  getChanges(argument: _geolookup_usage_v1_GetChangesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetChangesResponse__Output>): grpc.ClientUnaryCall;
  getChanges(argument: _geolookup_usage_v1_GetChangesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_usage_v1_GetChangesResponse__Output>): grpc.ClientUnaryCall;
  getChanges(argument: _geolookup_usage_v1_GetChangesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetChangesResponse__Output>): grpc.ClientUnaryCall;
  getChanges(argument: _geolookup_usage_v1_GetChangesRequest, callback: grpc.requestCallback<_geolookup_usage_v1_GetChangesResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Returns one total per key, in the order of the request.
   */
  GetTotals(argument: _geolookup_usage_v1_GetTotalsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetTotalsResponse__Output>): grpc.ClientUnaryCall;
  GetTotals(argument: _geolookup_usage_v1_GetTotalsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_usage_v1_GetTotalsResponse__Output>): grpc.ClientUnaryCall;
  GetTotals(argument: _geolookup_usage_v1_GetTotalsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetTotalsResponse__Output>): grpc.ClientUnaryCall;
  GetTotals(argument: _geolookup_usage_v1_GetTotalsRequest, callback: grpc.requestCallback<_geolookup_usage_v1_GetTotalsResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Returns one total per key, in the order of the request.
   */
  getTotals(argument: _geolookup_usage_v1_GetTotalsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetTotalsResponse__Output>): grpc.ClientUnaryCall;
  getTotals(argument: _geolookup_usage_v1_GetTotalsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_usage_v1_GetTotalsResponse__Output>): grpc.ClientUnaryCall;
  getTotals(argument: _geolookup_usage_v1_GetTotalsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetTotalsResponse__Output>): grpc.ClientUnaryCall;
  getTotals(argument: _geolookup_usage_v1_GetTotalsRequest, callback: grpc.requestCallback<_geolookup_usage_v1_GetTotalsResponse__Output>): grpc.ClientUnaryCall;
  
}

/**
 * Usage at other gateways, for gateways. Every request excludes the counts of the gateway that sends it.
 */
export interface TotalsHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Returns the totals that grew since the previous call. A gateway that calls it every second always has current totals.
   */
  GetChanges: grpc.handleUnaryCall<_geolookup_usage_v1_GetChangesRequest__Output, _geolookup_usage_v1_GetChangesResponse>;
  
  /**
   * Returns one total per key, in the order of the request.
   */
  GetTotals: grpc.handleUnaryCall<_geolookup_usage_v1_GetTotalsRequest__Output, _geolookup_usage_v1_GetTotalsResponse>;
  
}

export interface TotalsDefinition extends grpc.ServiceDefinition {
  GetChanges: MethodDefinition<_geolookup_usage_v1_GetChangesRequest, _geolookup_usage_v1_GetChangesResponse, _geolookup_usage_v1_GetChangesRequest__Output, _geolookup_usage_v1_GetChangesResponse__Output>
  GetTotals: MethodDefinition<_geolookup_usage_v1_GetTotalsRequest, _geolookup_usage_v1_GetTotalsResponse, _geolookup_usage_v1_GetTotalsRequest__Output, _geolookup_usage_v1_GetTotalsResponse__Output>
}
