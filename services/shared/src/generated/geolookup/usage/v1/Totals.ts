// Original file: proto/usage/v1/usage.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetChangesRequest as _geolookup_usage_v1_GetChangesRequest, GetChangesRequest__Output as _geolookup_usage_v1_GetChangesRequest__Output } from '../../../geolookup/usage/v1/GetChangesRequest.ts';
import type { GetChangesResponse as _geolookup_usage_v1_GetChangesResponse, GetChangesResponse__Output as _geolookup_usage_v1_GetChangesResponse__Output } from '../../../geolookup/usage/v1/GetChangesResponse.ts';
import type { GetTotalsRequest as _geolookup_usage_v1_GetTotalsRequest, GetTotalsRequest__Output as _geolookup_usage_v1_GetTotalsRequest__Output } from '../../../geolookup/usage/v1/GetTotalsRequest.ts';
import type { GetTotalsResponse as _geolookup_usage_v1_GetTotalsResponse, GetTotalsResponse__Output as _geolookup_usage_v1_GetTotalsResponse__Output } from '../../../geolookup/usage/v1/GetTotalsResponse.ts';
import type { ListUsedKeysRequest as _geolookup_usage_v1_ListUsedKeysRequest, ListUsedKeysRequest__Output as _geolookup_usage_v1_ListUsedKeysRequest__Output } from '../../../geolookup/usage/v1/ListUsedKeysRequest.ts';
import type { ListUsedKeysResponse as _geolookup_usage_v1_ListUsedKeysResponse, ListUsedKeysResponse__Output as _geolookup_usage_v1_ListUsedKeysResponse__Output } from '../../../geolookup/usage/v1/ListUsedKeysResponse.ts';

/**
 * Totals of quotas, for gateways, and of keys, for auth. Requests of a gateway exclude the counts of the gateway that sends them.
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
   * Returns one total per quota, in the order of the request.
   */
  GetTotals(argument: _geolookup_usage_v1_GetTotalsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetTotalsResponse__Output>): grpc.ClientUnaryCall;
  GetTotals(argument: _geolookup_usage_v1_GetTotalsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_usage_v1_GetTotalsResponse__Output>): grpc.ClientUnaryCall;
  GetTotals(argument: _geolookup_usage_v1_GetTotalsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetTotalsResponse__Output>): grpc.ClientUnaryCall;
  GetTotals(argument: _geolookup_usage_v1_GetTotalsRequest, callback: grpc.requestCallback<_geolookup_usage_v1_GetTotalsResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Returns one total per quota, in the order of the request.
   */
  getTotals(argument: _geolookup_usage_v1_GetTotalsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetTotalsResponse__Output>): grpc.ClientUnaryCall;
  getTotals(argument: _geolookup_usage_v1_GetTotalsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_usage_v1_GetTotalsResponse__Output>): grpc.ClientUnaryCall;
  getTotals(argument: _geolookup_usage_v1_GetTotalsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetTotalsResponse__Output>): grpc.ClientUnaryCall;
  getTotals(argument: _geolookup_usage_v1_GetTotalsRequest, callback: grpc.requestCallback<_geolookup_usage_v1_GetTotalsResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Returns the keys of a shard that have requests, for auth.
   */
  ListUsedKeys(argument: _geolookup_usage_v1_ListUsedKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_ListUsedKeysResponse__Output>): grpc.ClientUnaryCall;
  ListUsedKeys(argument: _geolookup_usage_v1_ListUsedKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_usage_v1_ListUsedKeysResponse__Output>): grpc.ClientUnaryCall;
  ListUsedKeys(argument: _geolookup_usage_v1_ListUsedKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_ListUsedKeysResponse__Output>): grpc.ClientUnaryCall;
  ListUsedKeys(argument: _geolookup_usage_v1_ListUsedKeysRequest, callback: grpc.requestCallback<_geolookup_usage_v1_ListUsedKeysResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Returns the keys of a shard that have requests, for auth.
   */
  listUsedKeys(argument: _geolookup_usage_v1_ListUsedKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_ListUsedKeysResponse__Output>): grpc.ClientUnaryCall;
  listUsedKeys(argument: _geolookup_usage_v1_ListUsedKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_usage_v1_ListUsedKeysResponse__Output>): grpc.ClientUnaryCall;
  listUsedKeys(argument: _geolookup_usage_v1_ListUsedKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_ListUsedKeysResponse__Output>): grpc.ClientUnaryCall;
  listUsedKeys(argument: _geolookup_usage_v1_ListUsedKeysRequest, callback: grpc.requestCallback<_geolookup_usage_v1_ListUsedKeysResponse__Output>): grpc.ClientUnaryCall;
  
}

/**
 * Totals of quotas, for gateways, and of keys, for auth. Requests of a gateway exclude the counts of the gateway that sends them.
 */
export interface TotalsHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Returns the totals that grew since the previous call. A gateway that calls it every second always has current totals.
   */
  GetChanges: grpc.handleUnaryCall<_geolookup_usage_v1_GetChangesRequest__Output, _geolookup_usage_v1_GetChangesResponse>;
  
  /**
   * Returns one total per quota, in the order of the request.
   */
  GetTotals: grpc.handleUnaryCall<_geolookup_usage_v1_GetTotalsRequest__Output, _geolookup_usage_v1_GetTotalsResponse>;
  
  /**
   * Returns the keys of a shard that have requests, for auth.
   */
  ListUsedKeys: grpc.handleUnaryCall<_geolookup_usage_v1_ListUsedKeysRequest__Output, _geolookup_usage_v1_ListUsedKeysResponse>;
  
}

export interface TotalsDefinition extends grpc.ServiceDefinition {
  GetChanges: MethodDefinition<_geolookup_usage_v1_GetChangesRequest, _geolookup_usage_v1_GetChangesResponse, _geolookup_usage_v1_GetChangesRequest__Output, _geolookup_usage_v1_GetChangesResponse__Output>
  GetTotals: MethodDefinition<_geolookup_usage_v1_GetTotalsRequest, _geolookup_usage_v1_GetTotalsResponse, _geolookup_usage_v1_GetTotalsRequest__Output, _geolookup_usage_v1_GetTotalsResponse__Output>
  ListUsedKeys: MethodDefinition<_geolookup_usage_v1_ListUsedKeysRequest, _geolookup_usage_v1_ListUsedKeysResponse, _geolookup_usage_v1_ListUsedKeysRequest__Output, _geolookup_usage_v1_ListUsedKeysResponse__Output>
}
