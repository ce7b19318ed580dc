// Original file: proto/auth/v1/auth.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AuthorizeRequest as _geolookup_auth_v1_AuthorizeRequest, AuthorizeRequest__Output as _geolookup_auth_v1_AuthorizeRequest__Output } from '../../../geolookup/auth/v1/AuthorizeRequest.ts';
import type { AuthorizeResponse as _geolookup_auth_v1_AuthorizeResponse, AuthorizeResponse__Output as _geolookup_auth_v1_AuthorizeResponse__Output } from '../../../geolookup/auth/v1/AuthorizeResponse.ts';

/**
 * Decides what keys may do. One call carries many checks.
 */
export interface AuthClient extends grpc.Client {
  /**
   * Returns one Authorization per check, in the order of the request.
   */
  Authorize(argument: _geolookup_auth_v1_AuthorizeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_AuthorizeResponse__Output>): grpc.ClientUnaryCall;
  Authorize(argument: _geolookup_auth_v1_AuthorizeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_AuthorizeResponse__Output>): grpc.ClientUnaryCall;
  Authorize(argument: _geolookup_auth_v1_AuthorizeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_AuthorizeResponse__Output>): grpc.ClientUnaryCall;
  Authorize(argument: _geolookup_auth_v1_AuthorizeRequest, callback: grpc.requestCallback<_geolookup_auth_v1_AuthorizeResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Returns one Authorization per check, in the order of the request.
   */
  authorize(argument: _geolookup_auth_v1_AuthorizeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_AuthorizeResponse__Output>): grpc.ClientUnaryCall;
  authorize(argument: _geolookup_auth_v1_AuthorizeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_AuthorizeResponse__Output>): grpc.ClientUnaryCall;
  authorize(argument: _geolookup_auth_v1_AuthorizeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_AuthorizeResponse__Output>): grpc.ClientUnaryCall;
  authorize(argument: _geolookup_auth_v1_AuthorizeRequest, callback: grpc.requestCallback<_geolookup_auth_v1_AuthorizeResponse__Output>): grpc.ClientUnaryCall;
  
}

/**
 * Decides what keys may do. One call carries many checks.
 */
export interface AuthHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Returns one Authorization per check, in the order of the request.
   */
  Authorize: grpc.handleUnaryCall<_geolookup_auth_v1_AuthorizeRequest__Output, _geolookup_auth_v1_AuthorizeResponse>;
  
}

export interface AuthDefinition extends grpc.ServiceDefinition {
  Authorize: MethodDefinition<_geolookup_auth_v1_AuthorizeRequest, _geolookup_auth_v1_AuthorizeResponse, _geolookup_auth_v1_AuthorizeRequest__Output, _geolookup_auth_v1_AuthorizeResponse__Output>
}
