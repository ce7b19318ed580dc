// Original file: proto/auth/v1/auth.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AddOperatorRequest as _geolookup_auth_v1_AddOperatorRequest, AddOperatorRequest__Output as _geolookup_auth_v1_AddOperatorRequest__Output } from '../../../geolookup/auth/v1/AddOperatorRequest.ts';
import type { Empty as _geolookup_auth_v1_Empty, Empty__Output as _geolookup_auth_v1_Empty__Output } from '../../../geolookup/auth/v1/Empty.ts';
import type { IssuedOperator as _geolookup_auth_v1_IssuedOperator, IssuedOperator__Output as _geolookup_auth_v1_IssuedOperator__Output } from '../../../geolookup/auth/v1/IssuedOperator.ts';
import type { ListOperatorsResponse as _geolookup_auth_v1_ListOperatorsResponse, ListOperatorsResponse__Output as _geolookup_auth_v1_ListOperatorsResponse__Output } from '../../../geolookup/auth/v1/ListOperatorsResponse.ts';
import type { Operator as _geolookup_auth_v1_Operator, Operator__Output as _geolookup_auth_v1_Operator__Output } from '../../../geolookup/auth/v1/Operator.ts';
import type { RemoveOperatorRequest as _geolookup_auth_v1_RemoveOperatorRequest, RemoveOperatorRequest__Output as _geolookup_auth_v1_RemoveOperatorRequest__Output } from '../../../geolookup/auth/v1/RemoveOperatorRequest.ts';
import type { ReplaceOperatorTokenRequest as _geolookup_auth_v1_ReplaceOperatorTokenRequest, ReplaceOperatorTokenRequest__Output as _geolookup_auth_v1_ReplaceOperatorTokenRequest__Output } from '../../../geolookup/auth/v1/ReplaceOperatorTokenRequest.ts';
import type { SetOperatorRoleRequest as _geolookup_auth_v1_SetOperatorRoleRequest, SetOperatorRoleRequest__Output as _geolookup_auth_v1_SetOperatorRoleRequest__Output } from '../../../geolookup/auth/v1/SetOperatorRoleRequest.ts';

/**
 * Operators and their roles. For the token, see KeyAdmin. Only admins can change operators.
 */
export interface OperatorsClient extends grpc.Client {
  AddOperator(argument: _geolookup_auth_v1_AddOperatorRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IssuedOperator__Output>): grpc.ClientUnaryCall;
  AddOperator(argument: _geolookup_auth_v1_AddOperatorRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_IssuedOperator__Output>): grpc.ClientUnaryCall;
  AddOperator(argument: _geolookup_auth_v1_AddOperatorRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IssuedOperator__Output>): grpc.ClientUnaryCall;
  AddOperator(argument: _geolookup_auth_v1_AddOperatorRequest, callback: grpc.requestCallback<_geolookup_auth_v1_IssuedOperator__Output>): grpc.ClientUnaryCall;
  addOperator(argument: _geolookup_auth_v1_AddOperatorRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IssuedOperator__Output>): grpc.ClientUnaryCall;
  addOperator(argument: _geolookup_auth_v1_AddOperatorRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_IssuedOperator__Output>): grpc.ClientUnaryCall;
  addOperator(argument: _geolookup_auth_v1_AddOperatorRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IssuedOperator__Output>): grpc.ClientUnaryCall;
  addOperator(argument: _geolookup_auth_v1_AddOperatorRequest, callback: grpc.requestCallback<_geolookup_auth_v1_IssuedOperator__Output>): grpc.ClientUnaryCall;
  
  ListOperators(argument: _geolookup_auth_v1_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_ListOperatorsResponse__Output>): grpc.ClientUnaryCall;
  ListOperators(argument: _geolookup_auth_v1_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_ListOperatorsResponse__Output>): grpc.ClientUnaryCall;
  ListOperators(argument: _geolookup_auth_v1_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_ListOperatorsResponse__Output>): grpc.ClientUnaryCall;
  ListOperators(argument: _geolookup_auth_v1_Empty, callback: grpc.requestCallback<_geolookup_auth_v1_ListOperatorsResponse__Output>): grpc.ClientUnaryCall;
  listOperators(argument: _geolookup_auth_v1_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_ListOperatorsResponse__Output>): grpc.ClientUnaryCall;
  listOperators(argument: _geolookup_auth_v1_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_ListOperatorsResponse__Output>): grpc.ClientUnaryCall;
  listOperators(argument: _geolookup_auth_v1_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_ListOperatorsResponse__Output>): grpc.ClientUnaryCall;
  listOperators(argument: _geolookup_auth_v1_Empty, callback: grpc.requestCallback<_geolookup_auth_v1_ListOperatorsResponse__Output>): grpc.ClientUnaryCall;
  
  RemoveOperator(argument: _geolookup_auth_v1_RemoveOperatorRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Operator__Output>): grpc.ClientUnaryCall;
  RemoveOperator(argument: _geolookup_auth_v1_RemoveOperatorRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Operator__Output>): grpc.ClientUnaryCall;
  RemoveOperator(argument: _geolookup_auth_v1_RemoveOperatorRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Operator__Output>): grpc.ClientUnaryCall;
  RemoveOperator(argument: _geolookup_auth_v1_RemoveOperatorRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Operator__Output>): grpc.ClientUnaryCall;
  removeOperator(argument: _geolookup_auth_v1_RemoveOperatorRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Operator__Output>): grpc.ClientUnaryCall;
  removeOperator(argument: _geolookup_auth_v1_RemoveOperatorRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Operator__Output>): grpc.ClientUnaryCall;
  removeOperator(argument: _geolookup_auth_v1_RemoveOperatorRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Operator__Output>): grpc.ClientUnaryCall;
  removeOperator(argument: _geolookup_auth_v1_RemoveOperatorRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Operator__Output>): grpc.ClientUnaryCall;
  
  /**
   * Replaces the token. The old one stops working at once.
   */
  ReplaceOperatorToken(argument: _geolookup_auth_v1_ReplaceOperatorTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IssuedOperator__Output>): grpc.ClientUnaryCall;
  ReplaceOperatorToken(argument: _geolookup_auth_v1_ReplaceOperatorTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_IssuedOperator__Output>): grpc.ClientUnaryCall;
  ReplaceOperatorToken(argument: _geolookup_auth_v1_ReplaceOperatorTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IssuedOperator__Output>): grpc.ClientUnaryCall;
  ReplaceOperatorToken(argument: _geolookup_auth_v1_ReplaceOperatorTokenRequest, callback: grpc.requestCallback<_geolookup_auth_v1_IssuedOperator__Output>): grpc.ClientUnaryCall;
  /**
   * Replaces the token. The old one stops working at once.
   */
  replaceOperatorToken(argument: _geolookup_auth_v1_ReplaceOperatorTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IssuedOperator__Output>): grpc.ClientUnaryCall;
  replaceOperatorToken(argument: _geolookup_auth_v1_ReplaceOperatorTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_IssuedOperator__Output>): grpc.ClientUnaryCall;
  replaceOperatorToken(argument: _geolookup_auth_v1_ReplaceOperatorTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IssuedOperator__Output>): grpc.ClientUnaryCall;
  replaceOperatorToken(argument: _geolookup_auth_v1_ReplaceOperatorTokenRequest, callback: grpc.requestCallback<_geolookup_auth_v1_IssuedOperator__Output>): grpc.ClientUnaryCall;
  
  SetOperatorRole(argument: _geolookup_auth_v1_SetOperatorRoleRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Operator__Output>): grpc.ClientUnaryCall;
  SetOperatorRole(argument: _geolookup_auth_v1_SetOperatorRoleRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Operator__Output>): grpc.ClientUnaryCall;
  SetOperatorRole(argument: _geolookup_auth_v1_SetOperatorRoleRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Operator__Output>): grpc.ClientUnaryCall;
  SetOperatorRole(argument: _geolookup_auth_v1_SetOperatorRoleRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Operator__Output>): grpc.ClientUnaryCall;
  setOperatorRole(argument: _geolookup_auth_v1_SetOperatorRoleRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Operator__Output>): grpc.ClientUnaryCall;
  setOperatorRole(argument: _geolookup_auth_v1_SetOperatorRoleRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Operator__Output>): grpc.ClientUnaryCall;
  setOperatorRole(argument: _geolookup_auth_v1_SetOperatorRoleRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Operator__Output>): grpc.ClientUnaryCall;
  setOperatorRole(argument: _geolookup_auth_v1_SetOperatorRoleRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Operator__Output>): grpc.ClientUnaryCall;
  
  /**
   * Returns the operator whose token this is. Any valid token.
   */
  WhoAmI(argument: _geolookup_auth_v1_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Operator__Output>): grpc.ClientUnaryCall;
  WhoAmI(argument: _geolookup_auth_v1_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Operator__Output>): grpc.ClientUnaryCall;
  WhoAmI(argument: _geolookup_auth_v1_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Operator__Output>): grpc.ClientUnaryCall;
  WhoAmI(argument: _geolookup_auth_v1_Empty, callback: grpc.requestCallback<_geolookup_auth_v1_Operator__Output>): grpc.ClientUnaryCall;
  /**
   * Returns the operator whose token this is. Any valid token.
   */
  whoAmI(argument: _geolookup_auth_v1_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Operator__Output>): grpc.ClientUnaryCall;
  whoAmI(argument: _geolookup_auth_v1_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Operator__Output>): grpc.ClientUnaryCall;
  whoAmI(argument: _geolookup_auth_v1_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Operator__Output>): grpc.ClientUnaryCall;
  whoAmI(argument: _geolookup_auth_v1_Empty, callback: grpc.requestCallback<_geolookup_auth_v1_Operator__Output>): grpc.ClientUnaryCall;
  
}

/**
 * Operators and their roles. For the token, see KeyAdmin. Only admins can change operators.
 */
export interface OperatorsHandlers extends grpc.UntypedServiceImplementation {
  AddOperator: grpc.handleUnaryCall<_geolookup_auth_v1_AddOperatorRequest__Output, _geolookup_auth_v1_IssuedOperator>;
  
  ListOperators: grpc.handleUnaryCall<_geolookup_auth_v1_Empty__Output, _geolookup_auth_v1_ListOperatorsResponse>;
  
  RemoveOperator: grpc.handleUnaryCall<_geolookup_auth_v1_RemoveOperatorRequest__Output, _geolookup_auth_v1_Operator>;
  
  /**
   * Replaces the token. The old one stops working at once.
   */
  ReplaceOperatorToken: grpc.handleUnaryCall<_geolookup_auth_v1_ReplaceOperatorTokenRequest__Output, _geolookup_auth_v1_IssuedOperator>;
  
  SetOperatorRole: grpc.handleUnaryCall<_geolookup_auth_v1_SetOperatorRoleRequest__Output, _geolookup_auth_v1_Operator>;
  
  /**
   * Returns the operator whose token this is. Any valid token.
   */
  WhoAmI: grpc.handleUnaryCall<_geolookup_auth_v1_Empty__Output, _geolookup_auth_v1_Operator>;
  
}

export interface OperatorsDefinition extends grpc.ServiceDefinition {
  AddOperator: MethodDefinition<_geolookup_auth_v1_AddOperatorRequest, _geolookup_auth_v1_IssuedOperator, _geolookup_auth_v1_AddOperatorRequest__Output, _geolookup_auth_v1_IssuedOperator__Output>
  ListOperators: MethodDefinition<_geolookup_auth_v1_Empty, _geolookup_auth_v1_ListOperatorsResponse, _geolookup_auth_v1_Empty__Output, _geolookup_auth_v1_ListOperatorsResponse__Output>
  RemoveOperator: MethodDefinition<_geolookup_auth_v1_RemoveOperatorRequest, _geolookup_auth_v1_Operator, _geolookup_auth_v1_RemoveOperatorRequest__Output, _geolookup_auth_v1_Operator__Output>
  ReplaceOperatorToken: MethodDefinition<_geolookup_auth_v1_ReplaceOperatorTokenRequest, _geolookup_auth_v1_IssuedOperator, _geolookup_auth_v1_ReplaceOperatorTokenRequest__Output, _geolookup_auth_v1_IssuedOperator__Output>
  SetOperatorRole: MethodDefinition<_geolookup_auth_v1_SetOperatorRoleRequest, _geolookup_auth_v1_Operator, _geolookup_auth_v1_SetOperatorRoleRequest__Output, _geolookup_auth_v1_Operator__Output>
  WhoAmI: MethodDefinition<_geolookup_auth_v1_Empty, _geolookup_auth_v1_Operator, _geolookup_auth_v1_Empty__Output, _geolookup_auth_v1_Operator__Output>
}
