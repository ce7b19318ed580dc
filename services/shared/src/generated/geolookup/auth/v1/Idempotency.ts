// Original file: proto/auth/v1/auth.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetRecordRequest as _geolookup_auth_v1_GetRecordRequest, GetRecordRequest__Output as _geolookup_auth_v1_GetRecordRequest__Output } from '../../../geolookup/auth/v1/GetRecordRequest.ts';
import type { IdempotencyRecord as _geolookup_auth_v1_IdempotencyRecord, IdempotencyRecord__Output as _geolookup_auth_v1_IdempotencyRecord__Output } from '../../../geolookup/auth/v1/IdempotencyRecord.ts';

/**
 * What the admin API stores about changes with an Idempotency-Key, for 24 hours. Needs ADMIN_TOKEN.
 */
export interface IdempotencyClient extends grpc.Client {
  /**
   * Returns a record; revision 0 if there is none.
   */
  GetRecord(argument: _geolookup_auth_v1_GetRecordRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IdempotencyRecord__Output>): grpc.ClientUnaryCall;
  GetRecord(argument: _geolookup_auth_v1_GetRecordRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_IdempotencyRecord__Output>): grpc.ClientUnaryCall;
  GetRecord(argument: _geolookup_auth_v1_GetRecordRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IdempotencyRecord__Output>): grpc.ClientUnaryCall;
  GetRecord(argument: _geolookup_auth_v1_GetRecordRequest, callback: grpc.requestCallback<_geolookup_auth_v1_IdempotencyRecord__Output>): grpc.ClientUnaryCall;
  /**
   * Returns a record; revision 0 if there is none.
   */
  getRecord(argument: _geolookup_auth_v1_GetRecordRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IdempotencyRecord__Output>): grpc.ClientUnaryCall;
  getRecord(argument: _geolookup_auth_v1_GetRecordRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_IdempotencyRecord__Output>): grpc.ClientUnaryCall;
  getRecord(argument: _geolookup_auth_v1_GetRecordRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IdempotencyRecord__Output>): grpc.ClientUnaryCall;
  getRecord(argument: _geolookup_auth_v1_GetRecordRequest, callback: grpc.requestCallback<_geolookup_auth_v1_IdempotencyRecord__Output>): grpc.ClientUnaryCall;
  
  /**
   * Stores a record in place of the one with the given revision; 0: there is none. Returns it with its own revision. ABORTED if there is
   * another one.
   */
  PutRecord(argument: _geolookup_auth_v1_IdempotencyRecord, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IdempotencyRecord__Output>): grpc.ClientUnaryCall;
  PutRecord(argument: _geolookup_auth_v1_IdempotencyRecord, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_IdempotencyRecord__Output>): grpc.ClientUnaryCall;
  PutRecord(argument: _geolookup_auth_v1_IdempotencyRecord, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IdempotencyRecord__Output>): grpc.ClientUnaryCall;
  PutRecord(argument: _geolookup_auth_v1_IdempotencyRecord, callback: grpc.requestCallback<_geolookup_auth_v1_IdempotencyRecord__Output>): grpc.ClientUnaryCall;
  /**
   * Stores a record in place of the one with the given revision; 0: there is none. Returns it with its own revision. ABORTED if there is
   * another one.
   */
  putRecord(argument: _geolookup_auth_v1_IdempotencyRecord, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IdempotencyRecord__Output>): grpc.ClientUnaryCall;
  putRecord(argument: _geolookup_auth_v1_IdempotencyRecord, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_IdempotencyRecord__Output>): grpc.ClientUnaryCall;
  putRecord(argument: _geolookup_auth_v1_IdempotencyRecord, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IdempotencyRecord__Output>): grpc.ClientUnaryCall;
  putRecord(argument: _geolookup_auth_v1_IdempotencyRecord, callback: grpc.requestCallback<_geolookup_auth_v1_IdempotencyRecord__Output>): grpc.ClientUnaryCall;
  
}

/**
 * What the admin API stores about changes with an Idempotency-Key, for 24 hours. Needs ADMIN_TOKEN.
 */
export interface IdempotencyHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Returns a record; revision 0 if there is none.
   */
  GetRecord: grpc.handleUnaryCall<_geolookup_auth_v1_GetRecordRequest__Output, _geolookup_auth_v1_IdempotencyRecord>;
  
  /**
   * Stores a record in place of the one with the given revision; 0: there is none. Returns it with its own revision. ABORTED if there is
   * another one.
   */
  PutRecord: grpc.handleUnaryCall<_geolookup_auth_v1_IdempotencyRecord__Output, _geolookup_auth_v1_IdempotencyRecord>;
  
}

export interface IdempotencyDefinition extends grpc.ServiceDefinition {
  GetRecord: MethodDefinition<_geolookup_auth_v1_GetRecordRequest, _geolookup_auth_v1_IdempotencyRecord, _geolookup_auth_v1_GetRecordRequest__Output, _geolookup_auth_v1_IdempotencyRecord__Output>
  PutRecord: MethodDefinition<_geolookup_auth_v1_IdempotencyRecord, _geolookup_auth_v1_IdempotencyRecord, _geolookup_auth_v1_IdempotencyRecord__Output, _geolookup_auth_v1_IdempotencyRecord__Output>
}
