// Original file: proto/usage/v1/usage.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetHoursRequest as _geolookup_usage_v1_GetHoursRequest, GetHoursRequest__Output as _geolookup_usage_v1_GetHoursRequest__Output } from '../../../geolookup/usage/v1/GetHoursRequest.ts';
import type { GetHoursResponse as _geolookup_usage_v1_GetHoursResponse, GetHoursResponse__Output as _geolookup_usage_v1_GetHoursResponse__Output } from '../../../geolookup/usage/v1/GetHoursResponse.ts';
import type { GetLastUsedRequest as _geolookup_usage_v1_GetLastUsedRequest, GetLastUsedRequest__Output as _geolookup_usage_v1_GetLastUsedRequest__Output } from '../../../geolookup/usage/v1/GetLastUsedRequest.ts';
import type { GetLastUsedResponse as _geolookup_usage_v1_GetLastUsedResponse, GetLastUsedResponse__Output as _geolookup_usage_v1_GetLastUsedResponse__Output } from '../../../geolookup/usage/v1/GetLastUsedResponse.ts';
import type { GetMonthRequest as _geolookup_usage_v1_GetMonthRequest, GetMonthRequest__Output as _geolookup_usage_v1_GetMonthRequest__Output } from '../../../geolookup/usage/v1/GetMonthRequest.ts';
import type { GetMonthResponse as _geolookup_usage_v1_GetMonthResponse, GetMonthResponse__Output as _geolookup_usage_v1_GetMonthResponse__Output } from '../../../geolookup/usage/v1/GetMonthResponse.ts';
import type { GetQuotaMonthRequest as _geolookup_usage_v1_GetQuotaMonthRequest, GetQuotaMonthRequest__Output as _geolookup_usage_v1_GetQuotaMonthRequest__Output } from '../../../geolookup/usage/v1/GetQuotaMonthRequest.ts';
import type { GetQuotaMonthResponse as _geolookup_usage_v1_GetQuotaMonthResponse, GetQuotaMonthResponse__Output as _geolookup_usage_v1_GetQuotaMonthResponse__Output } from '../../../geolookup/usage/v1/GetQuotaMonthResponse.ts';
import type { GetSummaryRequest as _geolookup_usage_v1_GetSummaryRequest, GetSummaryRequest__Output as _geolookup_usage_v1_GetSummaryRequest__Output } from '../../../geolookup/usage/v1/GetSummaryRequest.ts';
import type { GetSummaryResponse as _geolookup_usage_v1_GetSummaryResponse, GetSummaryResponse__Output as _geolookup_usage_v1_GetSummaryResponse__Output } from '../../../geolookup/usage/v1/GetSummaryResponse.ts';
import type { ListShardMonthRequest as _geolookup_usage_v1_ListShardMonthRequest, ListShardMonthRequest__Output as _geolookup_usage_v1_ListShardMonthRequest__Output } from '../../../geolookup/usage/v1/ListShardMonthRequest.ts';
import type { ListShardMonthResponse as _geolookup_usage_v1_ListShardMonthResponse, ListShardMonthResponse__Output as _geolookup_usage_v1_ListShardMonthResponse__Output } from '../../../geolookup/usage/v1/ListShardMonthResponse.ts';

/**
 * Usage of keys, for operators. Needs the metadata `authorization: Bearer <ADMIN_TOKEN>`.
 */
export interface UsageClient extends grpc.Client {
  /**
   * Returns a key's requests in the last 48 hours, as this node has seen their counts since it started.
   */
  GetHours(argument: _geolookup_usage_v1_GetHoursRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetHoursResponse__Output>): grpc.ClientUnaryCall;
  GetHours(argument: _geolookup_usage_v1_GetHoursRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_usage_v1_GetHoursResponse__Output>): grpc.ClientUnaryCall;
  GetHours(argument: _geolookup_usage_v1_GetHoursRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetHoursResponse__Output>): grpc.ClientUnaryCall;
  GetHours(argument: _geolookup_usage_v1_GetHoursRequest, callback: grpc.requestCallback<_geolookup_usage_v1_GetHoursResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Returns a key's requests in the last 48 hours, as this node has seen their counts since it started.
   */
  getHours(argument: _geolookup_usage_v1_GetHoursRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetHoursResponse__Output>): grpc.ClientUnaryCall;
  getHours(argument: _geolookup_usage_v1_GetHoursRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_usage_v1_GetHoursResponse__Output>): grpc.ClientUnaryCall;
  getHours(argument: _geolookup_usage_v1_GetHoursRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetHoursResponse__Output>): grpc.ClientUnaryCall;
  getHours(argument: _geolookup_usage_v1_GetHoursRequest, callback: grpc.requestCallback<_geolookup_usage_v1_GetHoursResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Returns the last day on which each key had a request, in the order of the request.
   */
  GetLastUsed(argument: _geolookup_usage_v1_GetLastUsedRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetLastUsedResponse__Output>): grpc.ClientUnaryCall;
  GetLastUsed(argument: _geolookup_usage_v1_GetLastUsedRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_usage_v1_GetLastUsedResponse__Output>): grpc.ClientUnaryCall;
  GetLastUsed(argument: _geolookup_usage_v1_GetLastUsedRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetLastUsedResponse__Output>): grpc.ClientUnaryCall;
  GetLastUsed(argument: _geolookup_usage_v1_GetLastUsedRequest, callback: grpc.requestCallback<_geolookup_usage_v1_GetLastUsedResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Returns the last day on which each key had a request, in the order of the request.
   */
  getLastUsed(argument: _geolookup_usage_v1_GetLastUsedRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetLastUsedResponse__Output>): grpc.ClientUnaryCall;
  getLastUsed(argument: _geolookup_usage_v1_GetLastUsedRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_usage_v1_GetLastUsedResponse__Output>): grpc.ClientUnaryCall;
  getLastUsed(argument: _geolookup_usage_v1_GetLastUsedRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetLastUsedResponse__Output>): grpc.ClientUnaryCall;
  getLastUsed(argument: _geolookup_usage_v1_GetLastUsedRequest, callback: grpc.requestCallback<_geolookup_usage_v1_GetLastUsedResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Returns a key's requests in a month, by day, and the refused ones by error code.
   */
  GetMonth(argument: _geolookup_usage_v1_GetMonthRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetMonthResponse__Output>): grpc.ClientUnaryCall;
  GetMonth(argument: _geolookup_usage_v1_GetMonthRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_usage_v1_GetMonthResponse__Output>): grpc.ClientUnaryCall;
  GetMonth(argument: _geolookup_usage_v1_GetMonthRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetMonthResponse__Output>): grpc.ClientUnaryCall;
  GetMonth(argument: _geolookup_usage_v1_GetMonthRequest, callback: grpc.requestCallback<_geolookup_usage_v1_GetMonthResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Returns a key's requests in a month, by day, and the refused ones by error code.
   */
  getMonth(argument: _geolookup_usage_v1_GetMonthRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetMonthResponse__Output>): grpc.ClientUnaryCall;
  getMonth(argument: _geolookup_usage_v1_GetMonthRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_usage_v1_GetMonthResponse__Output>): grpc.ClientUnaryCall;
  getMonth(argument: _geolookup_usage_v1_GetMonthRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetMonthResponse__Output>): grpc.ClientUnaryCall;
  getMonth(argument: _geolookup_usage_v1_GetMonthRequest, callback: grpc.requestCallback<_geolookup_usage_v1_GetMonthResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Returns the requests that count toward a quota in a month, by key and by day.
   */
  GetQuotaMonth(argument: _geolookup_usage_v1_GetQuotaMonthRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetQuotaMonthResponse__Output>): grpc.ClientUnaryCall;
  GetQuotaMonth(argument: _geolookup_usage_v1_GetQuotaMonthRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_usage_v1_GetQuotaMonthResponse__Output>): grpc.ClientUnaryCall;
  GetQuotaMonth(argument: _geolookup_usage_v1_GetQuotaMonthRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetQuotaMonthResponse__Output>): grpc.ClientUnaryCall;
  GetQuotaMonth(argument: _geolookup_usage_v1_GetQuotaMonthRequest, callback: grpc.requestCallback<_geolookup_usage_v1_GetQuotaMonthResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Returns the requests that count toward a quota in a month, by key and by day.
   */
  getQuotaMonth(argument: _geolookup_usage_v1_GetQuotaMonthRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetQuotaMonthResponse__Output>): grpc.ClientUnaryCall;
  getQuotaMonth(argument: _geolookup_usage_v1_GetQuotaMonthRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_usage_v1_GetQuotaMonthResponse__Output>): grpc.ClientUnaryCall;
  getQuotaMonth(argument: _geolookup_usage_v1_GetQuotaMonthRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetQuotaMonthResponse__Output>): grpc.ClientUnaryCall;
  getQuotaMonth(argument: _geolookup_usage_v1_GetQuotaMonthRequest, callback: grpc.requestCallback<_geolookup_usage_v1_GetQuotaMonthResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Returns the requests of all keys together in a month, by day, and the keys with the most requests.
   */
  GetSummary(argument: _geolookup_usage_v1_GetSummaryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetSummaryResponse__Output>): grpc.ClientUnaryCall;
  GetSummary(argument: _geolookup_usage_v1_GetSummaryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_usage_v1_GetSummaryResponse__Output>): grpc.ClientUnaryCall;
  GetSummary(argument: _geolookup_usage_v1_GetSummaryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetSummaryResponse__Output>): grpc.ClientUnaryCall;
  GetSummary(argument: _geolookup_usage_v1_GetSummaryRequest, callback: grpc.requestCallback<_geolookup_usage_v1_GetSummaryResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Returns the requests of all keys together in a month, by day, and the keys with the most requests.
   */
  getSummary(argument: _geolookup_usage_v1_GetSummaryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetSummaryResponse__Output>): grpc.ClientUnaryCall;
  getSummary(argument: _geolookup_usage_v1_GetSummaryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_usage_v1_GetSummaryResponse__Output>): grpc.ClientUnaryCall;
  getSummary(argument: _geolookup_usage_v1_GetSummaryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_GetSummaryResponse__Output>): grpc.ClientUnaryCall;
  getSummary(argument: _geolookup_usage_v1_GetSummaryRequest, callback: grpc.requestCallback<_geolookup_usage_v1_GetSummaryResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Returns what GetMonth does for every account in a shard with requests in a month: a key's ID, or the ID of a shared quota, "/" and a key's ID.
   * `usage-verify` compares them.
   */
  ListShardMonth(argument: _geolookup_usage_v1_ListShardMonthRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_ListShardMonthResponse__Output>): grpc.ClientUnaryCall;
  ListShardMonth(argument: _geolookup_usage_v1_ListShardMonthRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_usage_v1_ListShardMonthResponse__Output>): grpc.ClientUnaryCall;
  ListShardMonth(argument: _geolookup_usage_v1_ListShardMonthRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_ListShardMonthResponse__Output>): grpc.ClientUnaryCall;
  ListShardMonth(argument: _geolookup_usage_v1_ListShardMonthRequest, callback: grpc.requestCallback<_geolookup_usage_v1_ListShardMonthResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Returns what GetMonth does for every account in a shard with requests in a month: a key's ID, or the ID of a shared quota, "/" and a key's ID.
   * `usage-verify` compares them.
   */
  listShardMonth(argument: _geolookup_usage_v1_ListShardMonthRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_ListShardMonthResponse__Output>): grpc.ClientUnaryCall;
  listShardMonth(argument: _geolookup_usage_v1_ListShardMonthRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_usage_v1_ListShardMonthResponse__Output>): grpc.ClientUnaryCall;
  listShardMonth(argument: _geolookup_usage_v1_ListShardMonthRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_usage_v1_ListShardMonthResponse__Output>): grpc.ClientUnaryCall;
  listShardMonth(argument: _geolookup_usage_v1_ListShardMonthRequest, callback: grpc.requestCallback<_geolookup_usage_v1_ListShardMonthResponse__Output>): grpc.ClientUnaryCall;
  
}

/**
 * Usage of keys, for operators. Needs the metadata `authorization: Bearer <ADMIN_TOKEN>`.
 */
export interface UsageHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Returns a key's requests in the last 48 hours, as this node has seen their counts since it started.
   */
  GetHours: grpc.handleUnaryCall<_geolookup_usage_v1_GetHoursRequest__Output, _geolookup_usage_v1_GetHoursResponse>;
  
  /**
   * Returns the last day on which each key had a request, in the order of the request.
   */
  GetLastUsed: grpc.handleUnaryCall<_geolookup_usage_v1_GetLastUsedRequest__Output, _geolookup_usage_v1_GetLastUsedResponse>;
  
  /**
   * Returns a key's requests in a month, by day, and the refused ones by error code.
   */
  GetMonth: grpc.handleUnaryCall<_geolookup_usage_v1_GetMonthRequest__Output, _geolookup_usage_v1_GetMonthResponse>;
  
  /**
   * Returns the requests that count toward a quota in a month, by key and by day.
   */
  GetQuotaMonth: grpc.handleUnaryCall<_geolookup_usage_v1_GetQuotaMonthRequest__Output, _geolookup_usage_v1_GetQuotaMonthResponse>;
  
  /**
   * Returns the requests of all keys together in a month, by day, and the keys with the most requests.
   */
  GetSummary: grpc.handleUnaryCall<_geolookup_usage_v1_GetSummaryRequest__Output, _geolookup_usage_v1_GetSummaryResponse>;
  
  /**
   * Returns what GetMonth does for every account in a shard with requests in a month: a key's ID, or the ID of a shared quota, "/" and a key's ID.
   * `usage-verify` compares them.
   */
  ListShardMonth: grpc.handleUnaryCall<_geolookup_usage_v1_ListShardMonthRequest__Output, _geolookup_usage_v1_ListShardMonthResponse>;
  
}

export interface UsageDefinition extends grpc.ServiceDefinition {
  GetHours: MethodDefinition<_geolookup_usage_v1_GetHoursRequest, _geolookup_usage_v1_GetHoursResponse, _geolookup_usage_v1_GetHoursRequest__Output, _geolookup_usage_v1_GetHoursResponse__Output>
  GetLastUsed: MethodDefinition<_geolookup_usage_v1_GetLastUsedRequest, _geolookup_usage_v1_GetLastUsedResponse, _geolookup_usage_v1_GetLastUsedRequest__Output, _geolookup_usage_v1_GetLastUsedResponse__Output>
  GetMonth: MethodDefinition<_geolookup_usage_v1_GetMonthRequest, _geolookup_usage_v1_GetMonthResponse, _geolookup_usage_v1_GetMonthRequest__Output, _geolookup_usage_v1_GetMonthResponse__Output>
  GetQuotaMonth: MethodDefinition<_geolookup_usage_v1_GetQuotaMonthRequest, _geolookup_usage_v1_GetQuotaMonthResponse, _geolookup_usage_v1_GetQuotaMonthRequest__Output, _geolookup_usage_v1_GetQuotaMonthResponse__Output>
  GetSummary: MethodDefinition<_geolookup_usage_v1_GetSummaryRequest, _geolookup_usage_v1_GetSummaryResponse, _geolookup_usage_v1_GetSummaryRequest__Output, _geolookup_usage_v1_GetSummaryResponse__Output>
  ListShardMonth: MethodDefinition<_geolookup_usage_v1_ListShardMonthRequest, _geolookup_usage_v1_ListShardMonthResponse, _geolookup_usage_v1_ListShardMonthRequest__Output, _geolookup_usage_v1_ListShardMonthResponse__Output>
}
