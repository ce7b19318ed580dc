// Original file: proto/auth/v1/auth.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { Empty as _geolookup_auth_v1_Empty, Empty__Output as _geolookup_auth_v1_Empty__Output } from '../../../geolookup/auth/v1/Empty.ts';
import type { ListEntriesRequest as _geolookup_auth_v1_ListEntriesRequest, ListEntriesRequest__Output as _geolookup_auth_v1_ListEntriesRequest__Output } from '../../../geolookup/auth/v1/ListEntriesRequest.ts';
import type { ListEntriesResponse as _geolookup_auth_v1_ListEntriesResponse, ListEntriesResponse__Output as _geolookup_auth_v1_ListEntriesResponse__Output } from '../../../geolookup/auth/v1/ListEntriesResponse.ts';
import type { RecordEntryRequest as _geolookup_auth_v1_RecordEntryRequest, RecordEntryRequest__Output as _geolookup_auth_v1_RecordEntryRequest__Output } from '../../../geolookup/auth/v1/RecordEntryRequest.ts';

/**
 * The audit trail. Admins read all of it, other operators what concerns keys, customers and plans.
 */
export interface AuditClient extends grpc.Client {
  /**
   * Newest first.
   */
  ListEntries(argument: _geolookup_auth_v1_ListEntriesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_ListEntriesResponse__Output>): grpc.ClientUnaryCall;
  ListEntries(argument: _geolookup_auth_v1_ListEntriesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_ListEntriesResponse__Output>): grpc.ClientUnaryCall;
  ListEntries(argument: _geolookup_auth_v1_ListEntriesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_ListEntriesResponse__Output>): grpc.ClientUnaryCall;
  ListEntries(argument: _geolookup_auth_v1_ListEntriesRequest, callback: grpc.requestCallback<_geolookup_auth_v1_ListEntriesResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Newest first.
   */
  listEntries(argument: _geolookup_auth_v1_ListEntriesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_ListEntriesResponse__Output>): grpc.ClientUnaryCall;
  listEntries(argument: _geolookup_auth_v1_ListEntriesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_ListEntriesResponse__Output>): grpc.ClientUnaryCall;
  listEntries(argument: _geolookup_auth_v1_ListEntriesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_ListEntriesResponse__Output>): grpc.ClientUnaryCall;
  listEntries(argument: _geolookup_auth_v1_ListEntriesRequest, callback: grpc.requestCallback<_geolookup_auth_v1_ListEntriesResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Records what only the caller can know: a sign-in or sign-out at the console. Needs ADMIN_TOKEN.
   */
  RecordEntry(argument: _geolookup_auth_v1_RecordEntryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Empty__Output>): grpc.ClientUnaryCall;
  RecordEntry(argument: _geolookup_auth_v1_RecordEntryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Empty__Output>): grpc.ClientUnaryCall;
  RecordEntry(argument: _geolookup_auth_v1_RecordEntryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Empty__Output>): grpc.ClientUnaryCall;
  RecordEntry(argument: _geolookup_auth_v1_RecordEntryRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Empty__Output>): grpc.ClientUnaryCall;
  /**
   * Records what only the caller can know: a sign-in or sign-out at the console. Needs ADMIN_TOKEN.
   */
  recordEntry(argument: _geolookup_auth_v1_RecordEntryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Empty__Output>): grpc.ClientUnaryCall;
  recordEntry(argument: _geolookup_auth_v1_RecordEntryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Empty__Output>): grpc.ClientUnaryCall;
  recordEntry(argument: _geolookup_auth_v1_RecordEntryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Empty__Output>): grpc.ClientUnaryCall;
  recordEntry(argument: _geolookup_auth_v1_RecordEntryRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Empty__Output>): grpc.ClientUnaryCall;
  
}

/**
 * The audit trail. Admins read all of it, other operators what concerns keys, customers and plans.
 */
export interface AuditHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Newest first.
   */
  ListEntries: grpc.handleUnaryCall<_geolookup_auth_v1_ListEntriesRequest__Output, _geolookup_auth_v1_ListEntriesResponse>;
  
  /**
   * Records what only the caller can know: a sign-in or sign-out at the console. Needs ADMIN_TOKEN.
   */
  RecordEntry: grpc.handleUnaryCall<_geolookup_auth_v1_RecordEntryRequest__Output, _geolookup_auth_v1_Empty>;
  
}

export interface AuditDefinition extends grpc.ServiceDefinition {
  ListEntries: MethodDefinition<_geolookup_auth_v1_ListEntriesRequest, _geolookup_auth_v1_ListEntriesResponse, _geolookup_auth_v1_ListEntriesRequest__Output, _geolookup_auth_v1_ListEntriesResponse__Output>
  RecordEntry: MethodDefinition<_geolookup_auth_v1_RecordEntryRequest, _geolookup_auth_v1_Empty, _geolookup_auth_v1_RecordEntryRequest__Output, _geolookup_auth_v1_Empty__Output>
}
