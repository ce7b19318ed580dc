// Original file: proto/auth/v1/auth.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CheckPlansRequest as _geolookup_auth_v1_CheckPlansRequest, CheckPlansRequest__Output as _geolookup_auth_v1_CheckPlansRequest__Output } from '../../../geolookup/auth/v1/CheckPlansRequest.ts';
import type { ConfirmPlansRequest as _geolookup_auth_v1_ConfirmPlansRequest, ConfirmPlansRequest__Output as _geolookup_auth_v1_ConfirmPlansRequest__Output } from '../../../geolookup/auth/v1/ConfirmPlansRequest.ts';
import type { GetHistoryRequest as _geolookup_auth_v1_GetHistoryRequest, GetHistoryRequest__Output as _geolookup_auth_v1_GetHistoryRequest__Output } from '../../../geolookup/auth/v1/GetHistoryRequest.ts';
import type { GetHistoryResponse as _geolookup_auth_v1_GetHistoryResponse, GetHistoryResponse__Output as _geolookup_auth_v1_GetHistoryResponse__Output } from '../../../geolookup/auth/v1/GetHistoryResponse.ts';
import type { GetKeyRequest as _geolookup_auth_v1_GetKeyRequest, GetKeyRequest__Output as _geolookup_auth_v1_GetKeyRequest__Output } from '../../../geolookup/auth/v1/GetKeyRequest.ts';
import type { GetPlansRequest as _geolookup_auth_v1_GetPlansRequest, GetPlansRequest__Output as _geolookup_auth_v1_GetPlansRequest__Output } from '../../../geolookup/auth/v1/GetPlansRequest.ts';
import type { GetPlansResponse as _geolookup_auth_v1_GetPlansResponse, GetPlansResponse__Output as _geolookup_auth_v1_GetPlansResponse__Output } from '../../../geolookup/auth/v1/GetPlansResponse.ts';
import type { IssueKeyRequest as _geolookup_auth_v1_IssueKeyRequest, IssueKeyRequest__Output as _geolookup_auth_v1_IssueKeyRequest__Output } from '../../../geolookup/auth/v1/IssueKeyRequest.ts';
import type { IssueKeyResponse as _geolookup_auth_v1_IssueKeyResponse, IssueKeyResponse__Output as _geolookup_auth_v1_IssueKeyResponse__Output } from '../../../geolookup/auth/v1/IssueKeyResponse.ts';
import type { Key as _geolookup_auth_v1_Key, Key__Output as _geolookup_auth_v1_Key__Output } from '../../../geolookup/auth/v1/Key.ts';
import type { ListKeysRequest as _geolookup_auth_v1_ListKeysRequest, ListKeysRequest__Output as _geolookup_auth_v1_ListKeysRequest__Output } from '../../../geolookup/auth/v1/ListKeysRequest.ts';
import type { ListKeysResponse as _geolookup_auth_v1_ListKeysResponse, ListKeysResponse__Output as _geolookup_auth_v1_ListKeysResponse__Output } from '../../../geolookup/auth/v1/ListKeysResponse.ts';
import type { PlansCheck as _geolookup_auth_v1_PlansCheck, PlansCheck__Output as _geolookup_auth_v1_PlansCheck__Output } from '../../../geolookup/auth/v1/PlansCheck.ts';
import type { RevokeKeyRequest as _geolookup_auth_v1_RevokeKeyRequest, RevokeKeyRequest__Output as _geolookup_auth_v1_RevokeKeyRequest__Output } from '../../../geolookup/auth/v1/RevokeKeyRequest.ts';
import type { SetLabelRequest as _geolookup_auth_v1_SetLabelRequest, SetLabelRequest__Output as _geolookup_auth_v1_SetLabelRequest__Output } from '../../../geolookup/auth/v1/SetLabelRequest.ts';
import type { SetOriginsRequest as _geolookup_auth_v1_SetOriginsRequest, SetOriginsRequest__Output as _geolookup_auth_v1_SetOriginsRequest__Output } from '../../../geolookup/auth/v1/SetOriginsRequest.ts';
import type { SetPlanRequest as _geolookup_auth_v1_SetPlanRequest, SetPlanRequest__Output as _geolookup_auth_v1_SetPlanRequest__Output } from '../../../geolookup/auth/v1/SetPlanRequest.ts';

/**
 * Administration of keys. Every call needs the metadata `authorization: Bearer <ADMIN_TOKEN>`.
 * Errors: UNAUTHENTICATED (missing or wrong token), INVALID_ARGUMENT (invalid input), NOT_FOUND (unknown key ID),
 * FAILED_PRECONDITION (not possible in the key's state), ABORTED (a concurrent change won, or the key has another
 * version than expected), UNAVAILABLE (the event log is not writable).
 */
export interface KeyAdminClient extends grpc.Client {
  /**
   * Returns what a plans file would change, and changes nothing.
   */
  CheckPlans(argument: _geolookup_auth_v1_CheckPlansRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_PlansCheck__Output>): grpc.ClientUnaryCall;
  CheckPlans(argument: _geolookup_auth_v1_CheckPlansRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_PlansCheck__Output>): grpc.ClientUnaryCall;
  CheckPlans(argument: _geolookup_auth_v1_CheckPlansRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_PlansCheck__Output>): grpc.ClientUnaryCall;
  CheckPlans(argument: _geolookup_auth_v1_CheckPlansRequest, callback: grpc.requestCallback<_geolookup_auth_v1_PlansCheck__Output>): grpc.ClientUnaryCall;
  /**
   * Returns what a plans file would change, and changes nothing.
   */
  checkPlans(argument: _geolookup_auth_v1_CheckPlansRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_PlansCheck__Output>): grpc.ClientUnaryCall;
  checkPlans(argument: _geolookup_auth_v1_CheckPlansRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_PlansCheck__Output>): grpc.ClientUnaryCall;
  checkPlans(argument: _geolookup_auth_v1_CheckPlansRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_PlansCheck__Output>): grpc.ClientUnaryCall;
  checkPlans(argument: _geolookup_auth_v1_CheckPlansRequest, callback: grpc.requestCallback<_geolookup_auth_v1_PlansCheck__Output>): grpc.ClientUnaryCall;
  
  /**
   * Puts the content of the node's plans file in force, although it is held. FAILED_PRECONDITION if the file has another hash.
   */
  ConfirmPlans(argument: _geolookup_auth_v1_ConfirmPlansRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_GetPlansResponse__Output>): grpc.ClientUnaryCall;
  ConfirmPlans(argument: _geolookup_auth_v1_ConfirmPlansRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_GetPlansResponse__Output>): grpc.ClientUnaryCall;
  ConfirmPlans(argument: _geolookup_auth_v1_ConfirmPlansRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_GetPlansResponse__Output>): grpc.ClientUnaryCall;
  ConfirmPlans(argument: _geolookup_auth_v1_ConfirmPlansRequest, callback: grpc.requestCallback<_geolookup_auth_v1_GetPlansResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Puts the content of the node's plans file in force, although it is held. FAILED_PRECONDITION if the file has another hash.
   */
  confirmPlans(argument: _geolookup_auth_v1_ConfirmPlansRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_GetPlansResponse__Output>): grpc.ClientUnaryCall;
  confirmPlans(argument: _geolookup_auth_v1_ConfirmPlansRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_GetPlansResponse__Output>): grpc.ClientUnaryCall;
  confirmPlans(argument: _geolookup_auth_v1_ConfirmPlansRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_GetPlansResponse__Output>): grpc.ClientUnaryCall;
  confirmPlans(argument: _geolookup_auth_v1_ConfirmPlansRequest, callback: grpc.requestCallback<_geolookup_auth_v1_GetPlansResponse__Output>): grpc.ClientUnaryCall;
  
  GetHistory(argument: _geolookup_auth_v1_GetHistoryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_GetHistoryResponse__Output>): grpc.ClientUnaryCall;
  GetHistory(argument: _geolookup_auth_v1_GetHistoryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_GetHistoryResponse__Output>): grpc.ClientUnaryCall;
  GetHistory(argument: _geolookup_auth_v1_GetHistoryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_GetHistoryResponse__Output>): grpc.ClientUnaryCall;
  GetHistory(argument: _geolookup_auth_v1_GetHistoryRequest, callback: grpc.requestCallback<_geolookup_auth_v1_GetHistoryResponse__Output>): grpc.ClientUnaryCall;
  getHistory(argument: _geolookup_auth_v1_GetHistoryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_GetHistoryResponse__Output>): grpc.ClientUnaryCall;
  getHistory(argument: _geolookup_auth_v1_GetHistoryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_GetHistoryResponse__Output>): grpc.ClientUnaryCall;
  getHistory(argument: _geolookup_auth_v1_GetHistoryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_GetHistoryResponse__Output>): grpc.ClientUnaryCall;
  getHistory(argument: _geolookup_auth_v1_GetHistoryRequest, callback: grpc.requestCallback<_geolookup_auth_v1_GetHistoryResponse__Output>): grpc.ClientUnaryCall;
  
  GetKey(argument: _geolookup_auth_v1_GetKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  GetKey(argument: _geolookup_auth_v1_GetKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  GetKey(argument: _geolookup_auth_v1_GetKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  GetKey(argument: _geolookup_auth_v1_GetKeyRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  getKey(argument: _geolookup_auth_v1_GetKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  getKey(argument: _geolookup_auth_v1_GetKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  getKey(argument: _geolookup_auth_v1_GetKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  getKey(argument: _geolookup_auth_v1_GetKeyRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  
  /**
   * Returns the current plans, and the content of the node's plans file if it is held.
   */
  GetPlans(argument: _geolookup_auth_v1_GetPlansRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_GetPlansResponse__Output>): grpc.ClientUnaryCall;
  GetPlans(argument: _geolookup_auth_v1_GetPlansRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_GetPlansResponse__Output>): grpc.ClientUnaryCall;
  GetPlans(argument: _geolookup_auth_v1_GetPlansRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_GetPlansResponse__Output>): grpc.ClientUnaryCall;
  GetPlans(argument: _geolookup_auth_v1_GetPlansRequest, callback: grpc.requestCallback<_geolookup_auth_v1_GetPlansResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Returns the current plans, and the content of the node's plans file if it is held.
   */
  getPlans(argument: _geolookup_auth_v1_GetPlansRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_GetPlansResponse__Output>): grpc.ClientUnaryCall;
  getPlans(argument: _geolookup_auth_v1_GetPlansRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_GetPlansResponse__Output>): grpc.ClientUnaryCall;
  getPlans(argument: _geolookup_auth_v1_GetPlansRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_GetPlansResponse__Output>): grpc.ClientUnaryCall;
  getPlans(argument: _geolookup_auth_v1_GetPlansRequest, callback: grpc.requestCallback<_geolookup_auth_v1_GetPlansResponse__Output>): grpc.ClientUnaryCall;
  
  IssueKey(argument: _geolookup_auth_v1_IssueKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeyResponse__Output>): grpc.ClientUnaryCall;
  IssueKey(argument: _geolookup_auth_v1_IssueKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeyResponse__Output>): grpc.ClientUnaryCall;
  IssueKey(argument: _geolookup_auth_v1_IssueKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeyResponse__Output>): grpc.ClientUnaryCall;
  IssueKey(argument: _geolookup_auth_v1_IssueKeyRequest, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeyResponse__Output>): grpc.ClientUnaryCall;
  issueKey(argument: _geolookup_auth_v1_IssueKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeyResponse__Output>): grpc.ClientUnaryCall;
  issueKey(argument: _geolookup_auth_v1_IssueKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeyResponse__Output>): grpc.ClientUnaryCall;
  issueKey(argument: _geolookup_auth_v1_IssueKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeyResponse__Output>): grpc.ClientUnaryCall;
  issueKey(argument: _geolookup_auth_v1_IssueKeyRequest, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeyResponse__Output>): grpc.ClientUnaryCall;
  
  ListKeys(argument: _geolookup_auth_v1_ListKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  ListKeys(argument: _geolookup_auth_v1_ListKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  ListKeys(argument: _geolookup_auth_v1_ListKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  ListKeys(argument: _geolookup_auth_v1_ListKeysRequest, callback: grpc.requestCallback<_geolookup_auth_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _geolookup_auth_v1_ListKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _geolookup_auth_v1_ListKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _geolookup_auth_v1_ListKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _geolookup_auth_v1_ListKeysRequest, callback: grpc.requestCallback<_geolookup_auth_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  
  RevokeKey(argument: _geolookup_auth_v1_RevokeKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  RevokeKey(argument: _geolookup_auth_v1_RevokeKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  RevokeKey(argument: _geolookup_auth_v1_RevokeKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  RevokeKey(argument: _geolookup_auth_v1_RevokeKeyRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _geolookup_auth_v1_RevokeKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _geolookup_auth_v1_RevokeKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _geolookup_auth_v1_RevokeKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _geolookup_auth_v1_RevokeKeyRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  
  SetLabel(argument: _geolookup_auth_v1_SetLabelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  SetLabel(argument: _geolookup_auth_v1_SetLabelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  SetLabel(argument: _geolookup_auth_v1_SetLabelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  SetLabel(argument: _geolookup_auth_v1_SetLabelRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setLabel(argument: _geolookup_auth_v1_SetLabelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setLabel(argument: _geolookup_auth_v1_SetLabelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setLabel(argument: _geolookup_auth_v1_SetLabelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setLabel(argument: _geolookup_auth_v1_SetLabelRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  
  SetOrigins(argument: _geolookup_auth_v1_SetOriginsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  SetOrigins(argument: _geolookup_auth_v1_SetOriginsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  SetOrigins(argument: _geolookup_auth_v1_SetOriginsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  SetOrigins(argument: _geolookup_auth_v1_SetOriginsRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setOrigins(argument: _geolookup_auth_v1_SetOriginsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setOrigins(argument: _geolookup_auth_v1_SetOriginsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setOrigins(argument: _geolookup_auth_v1_SetOriginsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setOrigins(argument: _geolookup_auth_v1_SetOriginsRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  
  SetPlan(argument: _geolookup_auth_v1_SetPlanRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  SetPlan(argument: _geolookup_auth_v1_SetPlanRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  SetPlan(argument: _geolookup_auth_v1_SetPlanRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  SetPlan(argument: _geolookup_auth_v1_SetPlanRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setPlan(argument: _geolookup_auth_v1_SetPlanRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setPlan(argument: _geolookup_auth_v1_SetPlanRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setPlan(argument: _geolookup_auth_v1_SetPlanRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setPlan(argument: _geolookup_auth_v1_SetPlanRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  
}

/**
 * Administration of keys. Every call needs the metadata `authorization: Bearer <ADMIN_TOKEN>`.
 * Errors: UNAUTHENTICATED (missing or wrong token), INVALID_ARGUMENT (invalid input), NOT_FOUND (unknown key ID),
 * FAILED_PRECONDITION (not possible in the key's state), ABORTED (a concurrent change won, or the key has another
 * version than expected), UNAVAILABLE (the event log is not writable).
 */
export interface KeyAdminHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Returns what a plans file would change, and changes nothing.
   */
  CheckPlans: grpc.handleUnaryCall<_geolookup_auth_v1_CheckPlansRequest__Output, _geolookup_auth_v1_PlansCheck>;
  
  /**
   * Puts the content of the node's plans file in force, although it is held. FAILED_PRECONDITION if the file has another hash.
   */
  ConfirmPlans: grpc.handleUnaryCall<_geolookup_auth_v1_ConfirmPlansRequest__Output, _geolookup_auth_v1_GetPlansResponse>;
  
  GetHistory: grpc.handleUnaryCall<_geolookup_auth_v1_GetHistoryRequest__Output, _geolookup_auth_v1_GetHistoryResponse>;
  
  GetKey: grpc.handleUnaryCall<_geolookup_auth_v1_GetKeyRequest__Output, _geolookup_auth_v1_Key>;
  
  /**
   * Returns the current plans, and the content of the node's plans file if it is held.
   */
  GetPlans: grpc.handleUnaryCall<_geolookup_auth_v1_GetPlansRequest__Output, _geolookup_auth_v1_GetPlansResponse>;
  
  IssueKey: grpc.handleUnaryCall<_geolookup_auth_v1_IssueKeyRequest__Output, _geolookup_auth_v1_IssueKeyResponse>;
  
  ListKeys: grpc.handleUnaryCall<_geolookup_auth_v1_ListKeysRequest__Output, _geolookup_auth_v1_ListKeysResponse>;
  
  RevokeKey: grpc.handleUnaryCall<_geolookup_auth_v1_RevokeKeyRequest__Output, _geolookup_auth_v1_Key>;
  
  SetLabel: grpc.handleUnaryCall<_geolookup_auth_v1_SetLabelRequest__Output, _geolookup_auth_v1_Key>;
  
  SetOrigins: grpc.handleUnaryCall<_geolookup_auth_v1_SetOriginsRequest__Output, _geolookup_auth_v1_Key>;
  
  SetPlan: grpc.handleUnaryCall<_geolookup_auth_v1_SetPlanRequest__Output, _geolookup_auth_v1_Key>;
  
}

export interface KeyAdminDefinition extends grpc.ServiceDefinition {
  CheckPlans: MethodDefinition<_geolookup_auth_v1_CheckPlansRequest, _geolookup_auth_v1_PlansCheck, _geolookup_auth_v1_CheckPlansRequest__Output, _geolookup_auth_v1_PlansCheck__Output>
  ConfirmPlans: MethodDefinition<_geolookup_auth_v1_ConfirmPlansRequest, _geolookup_auth_v1_GetPlansResponse, _geolookup_auth_v1_ConfirmPlansRequest__Output, _geolookup_auth_v1_GetPlansResponse__Output>
  GetHistory: MethodDefinition<_geolookup_auth_v1_GetHistoryRequest, _geolookup_auth_v1_GetHistoryResponse, _geolookup_auth_v1_GetHistoryRequest__Output, _geolookup_auth_v1_GetHistoryResponse__Output>
  GetKey: MethodDefinition<_geolookup_auth_v1_GetKeyRequest, _geolookup_auth_v1_Key, _geolookup_auth_v1_GetKeyRequest__Output, _geolookup_auth_v1_Key__Output>
  GetPlans: MethodDefinition<_geolookup_auth_v1_GetPlansRequest, _geolookup_auth_v1_GetPlansResponse, _geolookup_auth_v1_GetPlansRequest__Output, _geolookup_auth_v1_GetPlansResponse__Output>
  IssueKey: MethodDefinition<_geolookup_auth_v1_IssueKeyRequest, _geolookup_auth_v1_IssueKeyResponse, _geolookup_auth_v1_IssueKeyRequest__Output, _geolookup_auth_v1_IssueKeyResponse__Output>
  ListKeys: MethodDefinition<_geolookup_auth_v1_ListKeysRequest, _geolookup_auth_v1_ListKeysResponse, _geolookup_auth_v1_ListKeysRequest__Output, _geolookup_auth_v1_ListKeysResponse__Output>
  RevokeKey: MethodDefinition<_geolookup_auth_v1_RevokeKeyRequest, _geolookup_auth_v1_Key, _geolookup_auth_v1_RevokeKeyRequest__Output, _geolookup_auth_v1_Key__Output>
  SetLabel: MethodDefinition<_geolookup_auth_v1_SetLabelRequest, _geolookup_auth_v1_Key, _geolookup_auth_v1_SetLabelRequest__Output, _geolookup_auth_v1_Key__Output>
  SetOrigins: MethodDefinition<_geolookup_auth_v1_SetOriginsRequest, _geolookup_auth_v1_Key, _geolookup_auth_v1_SetOriginsRequest__Output, _geolookup_auth_v1_Key__Output>
  SetPlan: MethodDefinition<_geolookup_auth_v1_SetPlanRequest, _geolookup_auth_v1_Key, _geolookup_auth_v1_SetPlanRequest__Output, _geolookup_auth_v1_Key__Output>
}
