// Original file: proto/auth/v1/auth.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AddCustomerRequest as _geolookup_auth_v1_AddCustomerRequest, AddCustomerRequest__Output as _geolookup_auth_v1_AddCustomerRequest__Output } from '../../../geolookup/auth/v1/AddCustomerRequest.ts';
import type { ChangeCustomerRequest as _geolookup_auth_v1_ChangeCustomerRequest, ChangeCustomerRequest__Output as _geolookup_auth_v1_ChangeCustomerRequest__Output } from '../../../geolookup/auth/v1/ChangeCustomerRequest.ts';
import type { CheckPlansRequest as _geolookup_auth_v1_CheckPlansRequest, CheckPlansRequest__Output as _geolookup_auth_v1_CheckPlansRequest__Output } from '../../../geolookup/auth/v1/CheckPlansRequest.ts';
import type { ConfirmPlansRequest as _geolookup_auth_v1_ConfirmPlansRequest, ConfirmPlansRequest__Output as _geolookup_auth_v1_ConfirmPlansRequest__Output } from '../../../geolookup/auth/v1/ConfirmPlansRequest.ts';
import type { Customer as _geolookup_auth_v1_Customer, Customer__Output as _geolookup_auth_v1_Customer__Output } from '../../../geolookup/auth/v1/Customer.ts';
import type { CustomerRequest as _geolookup_auth_v1_CustomerRequest, CustomerRequest__Output as _geolookup_auth_v1_CustomerRequest__Output } from '../../../geolookup/auth/v1/CustomerRequest.ts';
import type { DisableCustomerRequest as _geolookup_auth_v1_DisableCustomerRequest, DisableCustomerRequest__Output as _geolookup_auth_v1_DisableCustomerRequest__Output } from '../../../geolookup/auth/v1/DisableCustomerRequest.ts';
import type { Empty as _geolookup_auth_v1_Empty, Empty__Output as _geolookup_auth_v1_Empty__Output } from '../../../geolookup/auth/v1/Empty.ts';
import type { FindKeysRequest as _geolookup_auth_v1_FindKeysRequest, FindKeysRequest__Output as _geolookup_auth_v1_FindKeysRequest__Output } from '../../../geolookup/auth/v1/FindKeysRequest.ts';
import type { FindKeysResponse as _geolookup_auth_v1_FindKeysResponse, FindKeysResponse__Output as _geolookup_auth_v1_FindKeysResponse__Output } from '../../../geolookup/auth/v1/FindKeysResponse.ts';
import type { FinishUpgradeRequest as _geolookup_auth_v1_FinishUpgradeRequest, FinishUpgradeRequest__Output as _geolookup_auth_v1_FinishUpgradeRequest__Output } from '../../../geolookup/auth/v1/FinishUpgradeRequest.ts';
import type { FinishUpgradeResponse as _geolookup_auth_v1_FinishUpgradeResponse, FinishUpgradeResponse__Output as _geolookup_auth_v1_FinishUpgradeResponse__Output } from '../../../geolookup/auth/v1/FinishUpgradeResponse.ts';
import type { GetHistoryResponse as _geolookup_auth_v1_GetHistoryResponse, GetHistoryResponse__Output as _geolookup_auth_v1_GetHistoryResponse__Output } from '../../../geolookup/auth/v1/GetHistoryResponse.ts';
import type { GetPlansResponse as _geolookup_auth_v1_GetPlansResponse, GetPlansResponse__Output as _geolookup_auth_v1_GetPlansResponse__Output } from '../../../geolookup/auth/v1/GetPlansResponse.ts';
import type { IssueKeyRequest as _geolookup_auth_v1_IssueKeyRequest, IssueKeyRequest__Output as _geolookup_auth_v1_IssueKeyRequest__Output } from '../../../geolookup/auth/v1/IssueKeyRequest.ts';
import type { IssueKeyResponse as _geolookup_auth_v1_IssueKeyResponse, IssueKeyResponse__Output as _geolookup_auth_v1_IssueKeyResponse__Output } from '../../../geolookup/auth/v1/IssueKeyResponse.ts';
import type { IssueKeysRequest as _geolookup_auth_v1_IssueKeysRequest, IssueKeysRequest__Output as _geolookup_auth_v1_IssueKeysRequest__Output } from '../../../geolookup/auth/v1/IssueKeysRequest.ts';
import type { IssueKeysResponse as _geolookup_auth_v1_IssueKeysResponse, IssueKeysResponse__Output as _geolookup_auth_v1_IssueKeysResponse__Output } from '../../../geolookup/auth/v1/IssueKeysResponse.ts';
import type { Key as _geolookup_auth_v1_Key, Key__Output as _geolookup_auth_v1_Key__Output } from '../../../geolookup/auth/v1/Key.ts';
import type { KeyRequest as _geolookup_auth_v1_KeyRequest, KeyRequest__Output as _geolookup_auth_v1_KeyRequest__Output } from '../../../geolookup/auth/v1/KeyRequest.ts';
import type { ListCustomersRequest as _geolookup_auth_v1_ListCustomersRequest, ListCustomersRequest__Output as _geolookup_auth_v1_ListCustomersRequest__Output } from '../../../geolookup/auth/v1/ListCustomersRequest.ts';
import type { ListCustomersResponse as _geolookup_auth_v1_ListCustomersResponse, ListCustomersResponse__Output as _geolookup_auth_v1_ListCustomersResponse__Output } from '../../../geolookup/auth/v1/ListCustomersResponse.ts';
import type { ListKeysRequest as _geolookup_auth_v1_ListKeysRequest, ListKeysRequest__Output as _geolookup_auth_v1_ListKeysRequest__Output } from '../../../geolookup/auth/v1/ListKeysRequest.ts';
import type { ListKeysResponse as _geolookup_auth_v1_ListKeysResponse, ListKeysResponse__Output as _geolookup_auth_v1_ListKeysResponse__Output } from '../../../geolookup/auth/v1/ListKeysResponse.ts';
import type { PlansCheck as _geolookup_auth_v1_PlansCheck, PlansCheck__Output as _geolookup_auth_v1_PlansCheck__Output } from '../../../geolookup/auth/v1/PlansCheck.ts';
import type { PrepareKeysResponse as _geolookup_auth_v1_PrepareKeysResponse, PrepareKeysResponse__Output as _geolookup_auth_v1_PrepareKeysResponse__Output } from '../../../geolookup/auth/v1/PrepareKeysResponse.ts';
import type { RotateKeyRequest as _geolookup_auth_v1_RotateKeyRequest, RotateKeyRequest__Output as _geolookup_auth_v1_RotateKeyRequest__Output } from '../../../geolookup/auth/v1/RotateKeyRequest.ts';
import type { SetCustomerRequest as _geolookup_auth_v1_SetCustomerRequest, SetCustomerRequest__Output as _geolookup_auth_v1_SetCustomerRequest__Output } from '../../../geolookup/auth/v1/SetCustomerRequest.ts';
import type { SetExpiryRequest as _geolookup_auth_v1_SetExpiryRequest, SetExpiryRequest__Output as _geolookup_auth_v1_SetExpiryRequest__Output } from '../../../geolookup/auth/v1/SetExpiryRequest.ts';
import type { SetLabelRequest as _geolookup_auth_v1_SetLabelRequest, SetLabelRequest__Output as _geolookup_auth_v1_SetLabelRequest__Output } from '../../../geolookup/auth/v1/SetLabelRequest.ts';
import type { SetMetadataRequest as _geolookup_auth_v1_SetMetadataRequest, SetMetadataRequest__Output as _geolookup_auth_v1_SetMetadataRequest__Output } from '../../../geolookup/auth/v1/SetMetadataRequest.ts';
import type { SetOriginsRequest as _geolookup_auth_v1_SetOriginsRequest, SetOriginsRequest__Output as _geolookup_auth_v1_SetOriginsRequest__Output } from '../../../geolookup/auth/v1/SetOriginsRequest.ts';
import type { SetPlanRequest as _geolookup_auth_v1_SetPlanRequest, SetPlanRequest__Output as _geolookup_auth_v1_SetPlanRequest__Output } from '../../../geolookup/auth/v1/SetPlanRequest.ts';
import type { StopKeyRequest as _geolookup_auth_v1_StopKeyRequest, StopKeyRequest__Output as _geolookup_auth_v1_StopKeyRequest__Output } from '../../../geolookup/auth/v1/StopKeyRequest.ts';

/**
 * Administration of keys. Every call needs the metadata `authorization: Bearer <token>`: ADMIN_TOKEN, or the token of an operator. With
 * ADMIN_TOKEN, the metadata `operator-name` and `operator-role` can name the operator whom the caller has signed in: the call then has that role
 * and is recorded under that name. The role of an operator of this deployment is its own, and the metadata's is ignored.
 * Without `operator-role`, the name must be that of an operator of this deployment. Such calls say `Operator` instead of `Bearer`, which
 * auth of version 0.1 refuses: it doesn't know roles.
 * Errors: UNAUTHENTICATED (missing or wrong token), PERMISSION_DENIED (beyond the operator's role), INVALID_ARGUMENT (invalid input), NOT_FOUND (unknown key ID),
 * FAILED_PRECONDITION (not possible in the key's state), ABORTED (a concurrent change won, or the key has another
 * version than expected), UNAVAILABLE (the event log is not writable).
 */
export interface KeyAdminClient extends grpc.Client {
  AddCustomer(argument: _geolookup_auth_v1_AddCustomerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  AddCustomer(argument: _geolookup_auth_v1_AddCustomerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  AddCustomer(argument: _geolookup_auth_v1_AddCustomerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  AddCustomer(argument: _geolookup_auth_v1_AddCustomerRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  addCustomer(argument: _geolookup_auth_v1_AddCustomerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  addCustomer(argument: _geolookup_auth_v1_AddCustomerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  addCustomer(argument: _geolookup_auth_v1_AddCustomerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  addCustomer(argument: _geolookup_auth_v1_AddCustomerRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  
  ChangeCustomer(argument: _geolookup_auth_v1_ChangeCustomerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  ChangeCustomer(argument: _geolookup_auth_v1_ChangeCustomerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  ChangeCustomer(argument: _geolookup_auth_v1_ChangeCustomerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  ChangeCustomer(argument: _geolookup_auth_v1_ChangeCustomerRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  changeCustomer(argument: _geolookup_auth_v1_ChangeCustomerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  changeCustomer(argument: _geolookup_auth_v1_ChangeCustomerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  changeCustomer(argument: _geolookup_auth_v1_ChangeCustomerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  changeCustomer(argument: _geolookup_auth_v1_ChangeCustomerRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  
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
  
  /**
   * Disables all keys of a customer, as DisableKey does for one. EnableCustomer undoes it; keys that are disabled themselves stay so.
   */
  DisableCustomer(argument: _geolookup_auth_v1_DisableCustomerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  DisableCustomer(argument: _geolookup_auth_v1_DisableCustomerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  DisableCustomer(argument: _geolookup_auth_v1_DisableCustomerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  DisableCustomer(argument: _geolookup_auth_v1_DisableCustomerRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  /**
   * Disables all keys of a customer, as DisableKey does for one. EnableCustomer undoes it; keys that are disabled themselves stay so.
   */
  disableCustomer(argument: _geolookup_auth_v1_DisableCustomerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  disableCustomer(argument: _geolookup_auth_v1_DisableCustomerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  disableCustomer(argument: _geolookup_auth_v1_DisableCustomerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  disableCustomer(argument: _geolookup_auth_v1_DisableCustomerRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  
  DisableKey(argument: _geolookup_auth_v1_StopKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  DisableKey(argument: _geolookup_auth_v1_StopKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  DisableKey(argument: _geolookup_auth_v1_StopKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  DisableKey(argument: _geolookup_auth_v1_StopKeyRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  disableKey(argument: _geolookup_auth_v1_StopKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  disableKey(argument: _geolookup_auth_v1_StopKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  disableKey(argument: _geolookup_auth_v1_StopKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  disableKey(argument: _geolookup_auth_v1_StopKeyRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  
  EnableCustomer(argument: _geolookup_auth_v1_CustomerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  EnableCustomer(argument: _geolookup_auth_v1_CustomerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  EnableCustomer(argument: _geolookup_auth_v1_CustomerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  EnableCustomer(argument: _geolookup_auth_v1_CustomerRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  enableCustomer(argument: _geolookup_auth_v1_CustomerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  enableCustomer(argument: _geolookup_auth_v1_CustomerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  enableCustomer(argument: _geolookup_auth_v1_CustomerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  enableCustomer(argument: _geolookup_auth_v1_CustomerRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  
  EnableKey(argument: _geolookup_auth_v1_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  EnableKey(argument: _geolookup_auth_v1_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  EnableKey(argument: _geolookup_auth_v1_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  EnableKey(argument: _geolookup_auth_v1_KeyRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  enableKey(argument: _geolookup_auth_v1_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  enableKey(argument: _geolookup_auth_v1_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  enableKey(argument: _geolookup_auth_v1_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  enableKey(argument: _geolookup_auth_v1_KeyRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  
  /**
   * Returns the issued keys among full keys or texts with the shape of one. At most 1,000 texts.
   */
  FindKeys(argument: _geolookup_auth_v1_FindKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_FindKeysResponse__Output>): grpc.ClientUnaryCall;
  FindKeys(argument: _geolookup_auth_v1_FindKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_FindKeysResponse__Output>): grpc.ClientUnaryCall;
  FindKeys(argument: _geolookup_auth_v1_FindKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_FindKeysResponse__Output>): grpc.ClientUnaryCall;
  FindKeys(argument: _geolookup_auth_v1_FindKeysRequest, callback: grpc.requestCallback<_geolookup_auth_v1_FindKeysResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Returns the issued keys among full keys or texts with the shape of one. At most 1,000 texts.
   */
  findKeys(argument: _geolookup_auth_v1_FindKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_FindKeysResponse__Output>): grpc.ClientUnaryCall;
  findKeys(argument: _geolookup_auth_v1_FindKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_FindKeysResponse__Output>): grpc.ClientUnaryCall;
  findKeys(argument: _geolookup_auth_v1_FindKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_FindKeysResponse__Output>): grpc.ClientUnaryCall;
  findKeys(argument: _geolookup_auth_v1_FindKeysRequest, callback: grpc.requestCallback<_geolookup_auth_v1_FindKeysResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Records that every process of the cluster runs this version. Before that, calls that an earlier version's processes would not
   * understand fail with FAILED_PRECONDITION.
   */
  FinishUpgrade(argument: _geolookup_auth_v1_FinishUpgradeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_FinishUpgradeResponse__Output>): grpc.ClientUnaryCall;
  FinishUpgrade(argument: _geolookup_auth_v1_FinishUpgradeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_FinishUpgradeResponse__Output>): grpc.ClientUnaryCall;
  FinishUpgrade(argument: _geolookup_auth_v1_FinishUpgradeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_FinishUpgradeResponse__Output>): grpc.ClientUnaryCall;
  FinishUpgrade(argument: _geolookup_auth_v1_FinishUpgradeRequest, callback: grpc.requestCallback<_geolookup_auth_v1_FinishUpgradeResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Records that every process of the cluster runs this version. Before that, calls that an earlier version's processes would not
   * understand fail with FAILED_PRECONDITION.
   */
  finishUpgrade(argument: _geolookup_auth_v1_FinishUpgradeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_FinishUpgradeResponse__Output>): grpc.ClientUnaryCall;
  finishUpgrade(argument: _geolookup_auth_v1_FinishUpgradeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_FinishUpgradeResponse__Output>): grpc.ClientUnaryCall;
  finishUpgrade(argument: _geolookup_auth_v1_FinishUpgradeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_FinishUpgradeResponse__Output>): grpc.ClientUnaryCall;
  finishUpgrade(argument: _geolookup_auth_v1_FinishUpgradeRequest, callback: grpc.requestCallback<_geolookup_auth_v1_FinishUpgradeResponse__Output>): grpc.ClientUnaryCall;
  
  GetCustomer(argument: _geolookup_auth_v1_CustomerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  GetCustomer(argument: _geolookup_auth_v1_CustomerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  GetCustomer(argument: _geolookup_auth_v1_CustomerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  GetCustomer(argument: _geolookup_auth_v1_CustomerRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  getCustomer(argument: _geolookup_auth_v1_CustomerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  getCustomer(argument: _geolookup_auth_v1_CustomerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  getCustomer(argument: _geolookup_auth_v1_CustomerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  getCustomer(argument: _geolookup_auth_v1_CustomerRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Customer__Output>): grpc.ClientUnaryCall;
  
  /**
   * The events of a key, or the changes of the plans if the ID is "plans".
   */
  GetHistory(argument: _geolookup_auth_v1_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_GetHistoryResponse__Output>): grpc.ClientUnaryCall;
  GetHistory(argument: _geolookup_auth_v1_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_GetHistoryResponse__Output>): grpc.ClientUnaryCall;
  GetHistory(argument: _geolookup_auth_v1_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_GetHistoryResponse__Output>): grpc.ClientUnaryCall;
  GetHistory(argument: _geolookup_auth_v1_KeyRequest, callback: grpc.requestCallback<_geolookup_auth_v1_GetHistoryResponse__Output>): grpc.ClientUnaryCall;
  /**
   * The events of a key, or the changes of the plans if the ID is "plans".
   */
  getHistory(argument: _geolookup_auth_v1_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_GetHistoryResponse__Output>): grpc.ClientUnaryCall;
  getHistory(argument: _geolookup_auth_v1_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_GetHistoryResponse__Output>): grpc.ClientUnaryCall;
  getHistory(argument: _geolookup_auth_v1_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_GetHistoryResponse__Output>): grpc.ClientUnaryCall;
  getHistory(argument: _geolookup_auth_v1_KeyRequest, callback: grpc.requestCallback<_geolookup_auth_v1_GetHistoryResponse__Output>): grpc.ClientUnaryCall;
  
  GetKey(argument: _geolookup_auth_v1_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  GetKey(argument: _geolookup_auth_v1_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  GetKey(argument: _geolookup_auth_v1_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  GetKey(argument: _geolookup_auth_v1_KeyRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  getKey(argument: _geolookup_auth_v1_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  getKey(argument: _geolookup_auth_v1_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  getKey(argument: _geolookup_auth_v1_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  getKey(argument: _geolookup_auth_v1_KeyRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  
  /**
   * Returns the current plans, and the content of the node's plans file if it is held.
   */
  GetPlans(argument: _geolookup_auth_v1_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_GetPlansResponse__Output>): grpc.ClientUnaryCall;
  GetPlans(argument: _geolookup_auth_v1_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_GetPlansResponse__Output>): grpc.ClientUnaryCall;
  GetPlans(argument: _geolookup_auth_v1_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_GetPlansResponse__Output>): grpc.ClientUnaryCall;
  GetPlans(argument: _geolookup_auth_v1_Empty, callback: grpc.requestCallback<_geolookup_auth_v1_GetPlansResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Returns the current plans, and the content of the node's plans file if it is held.
   */
  getPlans(argument: _geolookup_auth_v1_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_GetPlansResponse__Output>): grpc.ClientUnaryCall;
  getPlans(argument: _geolookup_auth_v1_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_GetPlansResponse__Output>): grpc.ClientUnaryCall;
  getPlans(argument: _geolookup_auth_v1_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_GetPlansResponse__Output>): grpc.ClientUnaryCall;
  getPlans(argument: _geolookup_auth_v1_Empty, callback: grpc.requestCallback<_geolookup_auth_v1_GetPlansResponse__Output>): grpc.ClientUnaryCall;
  
  IssueKey(argument: _geolookup_auth_v1_IssueKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeyResponse__Output>): grpc.ClientUnaryCall;
  IssueKey(argument: _geolookup_auth_v1_IssueKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeyResponse__Output>): grpc.ClientUnaryCall;
  IssueKey(argument: _geolookup_auth_v1_IssueKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeyResponse__Output>): grpc.ClientUnaryCall;
  IssueKey(argument: _geolookup_auth_v1_IssueKeyRequest, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeyResponse__Output>): grpc.ClientUnaryCall;
  issueKey(argument: _geolookup_auth_v1_IssueKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeyResponse__Output>): grpc.ClientUnaryCall;
  issueKey(argument: _geolookup_auth_v1_IssueKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeyResponse__Output>): grpc.ClientUnaryCall;
  issueKey(argument: _geolookup_auth_v1_IssueKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeyResponse__Output>): grpc.ClientUnaryCall;
  issueKey(argument: _geolookup_auth_v1_IssueKeyRequest, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeyResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Issues prepared keys: all or, if a request is invalid, none. Issuing a key again changes nothing, so an interrupted call can be
   * repeated.
   */
  IssueKeys(argument: _geolookup_auth_v1_IssueKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeysResponse__Output>): grpc.ClientUnaryCall;
  IssueKeys(argument: _geolookup_auth_v1_IssueKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeysResponse__Output>): grpc.ClientUnaryCall;
  IssueKeys(argument: _geolookup_auth_v1_IssueKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeysResponse__Output>): grpc.ClientUnaryCall;
  IssueKeys(argument: _geolookup_auth_v1_IssueKeysRequest, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeysResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Issues prepared keys: all or, if a request is invalid, none. Issuing a key again changes nothing, so an interrupted call can be
   * repeated.
   */
  issueKeys(argument: _geolookup_auth_v1_IssueKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeysResponse__Output>): grpc.ClientUnaryCall;
  issueKeys(argument: _geolookup_auth_v1_IssueKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeysResponse__Output>): grpc.ClientUnaryCall;
  issueKeys(argument: _geolookup_auth_v1_IssueKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeysResponse__Output>): grpc.ClientUnaryCall;
  issueKeys(argument: _geolookup_auth_v1_IssueKeysRequest, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeysResponse__Output>): grpc.ClientUnaryCall;
  
  ListCustomers(argument: _geolookup_auth_v1_ListCustomersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_ListCustomersResponse__Output>): grpc.ClientUnaryCall;
  ListCustomers(argument: _geolookup_auth_v1_ListCustomersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_ListCustomersResponse__Output>): grpc.ClientUnaryCall;
  ListCustomers(argument: _geolookup_auth_v1_ListCustomersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_ListCustomersResponse__Output>): grpc.ClientUnaryCall;
  ListCustomers(argument: _geolookup_auth_v1_ListCustomersRequest, callback: grpc.requestCallback<_geolookup_auth_v1_ListCustomersResponse__Output>): grpc.ClientUnaryCall;
  listCustomers(argument: _geolookup_auth_v1_ListCustomersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_ListCustomersResponse__Output>): grpc.ClientUnaryCall;
  listCustomers(argument: _geolookup_auth_v1_ListCustomersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_ListCustomersResponse__Output>): grpc.ClientUnaryCall;
  listCustomers(argument: _geolookup_auth_v1_ListCustomersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_ListCustomersResponse__Output>): grpc.ClientUnaryCall;
  listCustomers(argument: _geolookup_auth_v1_ListCustomersRequest, callback: grpc.requestCallback<_geolookup_auth_v1_ListCustomersResponse__Output>): grpc.ClientUnaryCall;
  
  ListKeys(argument: _geolookup_auth_v1_ListKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  ListKeys(argument: _geolookup_auth_v1_ListKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  ListKeys(argument: _geolookup_auth_v1_ListKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  ListKeys(argument: _geolookup_auth_v1_ListKeysRequest, callback: grpc.requestCallback<_geolookup_auth_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _geolookup_auth_v1_ListKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _geolookup_auth_v1_ListKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _geolookup_auth_v1_ListKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _geolookup_auth_v1_ListKeysRequest, callback: grpc.requestCallback<_geolookup_auth_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Checks the requests and creates keys for them, which aren't valid until they are issued with IssueKeys. Records nothing.
   */
  PrepareKeys(argument: _geolookup_auth_v1_IssueKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_PrepareKeysResponse__Output>): grpc.ClientUnaryCall;
  PrepareKeys(argument: _geolookup_auth_v1_IssueKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_PrepareKeysResponse__Output>): grpc.ClientUnaryCall;
  PrepareKeys(argument: _geolookup_auth_v1_IssueKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_PrepareKeysResponse__Output>): grpc.ClientUnaryCall;
  PrepareKeys(argument: _geolookup_auth_v1_IssueKeysRequest, callback: grpc.requestCallback<_geolookup_auth_v1_PrepareKeysResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Checks the requests and creates keys for them, which aren't valid until they are issued with IssueKeys. Records nothing.
   */
  prepareKeys(argument: _geolookup_auth_v1_IssueKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_PrepareKeysResponse__Output>): grpc.ClientUnaryCall;
  prepareKeys(argument: _geolookup_auth_v1_IssueKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_PrepareKeysResponse__Output>): grpc.ClientUnaryCall;
  prepareKeys(argument: _geolookup_auth_v1_IssueKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_PrepareKeysResponse__Output>): grpc.ClientUnaryCall;
  prepareKeys(argument: _geolookup_auth_v1_IssueKeysRequest, callback: grpc.requestCallback<_geolookup_auth_v1_PrepareKeysResponse__Output>): grpc.ClientUnaryCall;
  
  RevokeKey(argument: _geolookup_auth_v1_StopKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  RevokeKey(argument: _geolookup_auth_v1_StopKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  RevokeKey(argument: _geolookup_auth_v1_StopKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  RevokeKey(argument: _geolookup_auth_v1_StopKeyRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _geolookup_auth_v1_StopKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _geolookup_auth_v1_StopKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _geolookup_auth_v1_StopKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _geolookup_auth_v1_StopKeyRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  
  /**
   * Issues a successor with the same plan, origins, label, metadata, customer and permission, in one event. Both keys share a quota. The
   * rotated key ends by itself.
   */
  RotateKey(argument: _geolookup_auth_v1_RotateKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeyResponse__Output>): grpc.ClientUnaryCall;
  RotateKey(argument: _geolookup_auth_v1_RotateKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeyResponse__Output>): grpc.ClientUnaryCall;
  RotateKey(argument: _geolookup_auth_v1_RotateKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeyResponse__Output>): grpc.ClientUnaryCall;
  RotateKey(argument: _geolookup_auth_v1_RotateKeyRequest, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeyResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Issues a successor with the same plan, origins, label, metadata, customer and permission, in one event. Both keys share a quota. The
   * rotated key ends by itself.
   */
  rotateKey(argument: _geolookup_auth_v1_RotateKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeyResponse__Output>): grpc.ClientUnaryCall;
  rotateKey(argument: _geolookup_auth_v1_RotateKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeyResponse__Output>): grpc.ClientUnaryCall;
  rotateKey(argument: _geolookup_auth_v1_RotateKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeyResponse__Output>): grpc.ClientUnaryCall;
  rotateKey(argument: _geolookup_auth_v1_RotateKeyRequest, callback: grpc.requestCallback<_geolookup_auth_v1_IssueKeyResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Moves a key to a customer, or away from its customer. It counts toward the other quota from the next month on.
   */
  SetCustomer(argument: _geolookup_auth_v1_SetCustomerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  SetCustomer(argument: _geolookup_auth_v1_SetCustomerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  SetCustomer(argument: _geolookup_auth_v1_SetCustomerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  SetCustomer(argument: _geolookup_auth_v1_SetCustomerRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  /**
   * Moves a key to a customer, or away from its customer. It counts toward the other quota from the next month on.
   */
  setCustomer(argument: _geolookup_auth_v1_SetCustomerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setCustomer(argument: _geolookup_auth_v1_SetCustomerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setCustomer(argument: _geolookup_auth_v1_SetCustomerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setCustomer(argument: _geolookup_auth_v1_SetCustomerRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  
  SetExpiry(argument: _geolookup_auth_v1_SetExpiryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  SetExpiry(argument: _geolookup_auth_v1_SetExpiryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  SetExpiry(argument: _geolookup_auth_v1_SetExpiryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  SetExpiry(argument: _geolookup_auth_v1_SetExpiryRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setExpiry(argument: _geolookup_auth_v1_SetExpiryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setExpiry(argument: _geolookup_auth_v1_SetExpiryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setExpiry(argument: _geolookup_auth_v1_SetExpiryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setExpiry(argument: _geolookup_auth_v1_SetExpiryRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  
  SetLabel(argument: _geolookup_auth_v1_SetLabelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  SetLabel(argument: _geolookup_auth_v1_SetLabelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  SetLabel(argument: _geolookup_auth_v1_SetLabelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  SetLabel(argument: _geolookup_auth_v1_SetLabelRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setLabel(argument: _geolookup_auth_v1_SetLabelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setLabel(argument: _geolookup_auth_v1_SetLabelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setLabel(argument: _geolookup_auth_v1_SetLabelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setLabel(argument: _geolookup_auth_v1_SetLabelRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  
  /**
   * Replaces all metadata of a key.
   */
  SetMetadata(argument: _geolookup_auth_v1_SetMetadataRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  SetMetadata(argument: _geolookup_auth_v1_SetMetadataRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  SetMetadata(argument: _geolookup_auth_v1_SetMetadataRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  SetMetadata(argument: _geolookup_auth_v1_SetMetadataRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  /**
   * Replaces all metadata of a key.
   */
  setMetadata(argument: _geolookup_auth_v1_SetMetadataRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setMetadata(argument: _geolookup_auth_v1_SetMetadataRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setMetadata(argument: _geolookup_auth_v1_SetMetadataRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  setMetadata(argument: _geolookup_auth_v1_SetMetadataRequest, callback: grpc.requestCallback<_geolookup_auth_v1_Key__Output>): grpc.ClientUnaryCall;
  
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
 * Administration of keys. Every call needs the metadata `authorization: Bearer <token>`: ADMIN_TOKEN, or the token of an operator. With
 * ADMIN_TOKEN, the metadata `operator-name` and `operator-role` can name the operator whom the caller has signed in: the call then has that role
 * and is recorded under that name. The role of an operator of this deployment is its own, and the metadata's is ignored.
 * Without `operator-role`, the name must be that of an operator of this deployment. Such calls say `Operator` instead of `Bearer`, which
 * auth of version 0.1 refuses: it doesn't know roles.
 * Errors: UNAUTHENTICATED (missing or wrong token), PERMISSION_DENIED (beyond the operator's role), INVALID_ARGUMENT (invalid input), NOT_FOUND (unknown key ID),
 * FAILED_PRECONDITION (not possible in the key's state), ABORTED (a concurrent change won, or the key has another
 * version than expected), UNAVAILABLE (the event log is not writable).
 */
export interface KeyAdminHandlers extends grpc.UntypedServiceImplementation {
  AddCustomer: grpc.handleUnaryCall<_geolookup_auth_v1_AddCustomerRequest__Output, _geolookup_auth_v1_Customer>;
  
  ChangeCustomer: grpc.handleUnaryCall<_geolookup_auth_v1_ChangeCustomerRequest__Output, _geolookup_auth_v1_Customer>;
  
  /**
   * Returns what a plans file would change, and changes nothing.
   */
  CheckPlans: grpc.handleUnaryCall<_geolookup_auth_v1_CheckPlansRequest__Output, _geolookup_auth_v1_PlansCheck>;
  
  /**
   * Puts the content of the node's plans file in force, although it is held. FAILED_PRECONDITION if the file has another hash.
   */
  ConfirmPlans: grpc.handleUnaryCall<_geolookup_auth_v1_ConfirmPlansRequest__Output, _geolookup_auth_v1_GetPlansResponse>;
  
  /**
   * Disables all keys of a customer, as DisableKey does for one. EnableCustomer undoes it; keys that are disabled themselves stay so.
   */
  DisableCustomer: grpc.handleUnaryCall<_geolookup_auth_v1_DisableCustomerRequest__Output, _geolookup_auth_v1_Customer>;
  
  DisableKey: grpc.handleUnaryCall<_geolookup_auth_v1_StopKeyRequest__Output, _geolookup_auth_v1_Key>;
  
  EnableCustomer: grpc.handleUnaryCall<_geolookup_auth_v1_CustomerRequest__Output, _geolookup_auth_v1_Customer>;
  
  EnableKey: grpc.handleUnaryCall<_geolookup_auth_v1_KeyRequest__Output, _geolookup_auth_v1_Key>;
  
  /**
   * Returns the issued keys among full keys or texts with the shape of one. At most 1,000 texts.
   */
  FindKeys: grpc.handleUnaryCall<_geolookup_auth_v1_FindKeysRequest__Output, _geolookup_auth_v1_FindKeysResponse>;
  
  /**
   * Records that every process of the cluster runs this version. Before that, calls that an earlier version's processes would not
   * understand fail with FAILED_PRECONDITION.
   */
  FinishUpgrade: grpc.handleUnaryCall<_geolookup_auth_v1_FinishUpgradeRequest__Output, _geolookup_auth_v1_FinishUpgradeResponse>;
  
  GetCustomer: grpc.handleUnaryCall<_geolookup_auth_v1_CustomerRequest__Output, _geolookup_auth_v1_Customer>;
  
  /**
   * The events of a key, or the changes of the plans if the ID is "plans".
   */
  GetHistory: grpc.handleUnaryCall<_geolookup_auth_v1_KeyRequest__Output, _geolookup_auth_v1_GetHistoryResponse>;
  
  GetKey: grpc.handleUnaryCall<_geolookup_auth_v1_KeyRequest__Output, _geolookup_auth_v1_Key>;
  
  /**
   * Returns the current plans, and the content of the node's plans file if it is held.
   */
  GetPlans: grpc.handleUnaryCall<_geolookup_auth_v1_Empty__Output, _geolookup_auth_v1_GetPlansResponse>;
  
  IssueKey: grpc.handleUnaryCall<_geolookup_auth_v1_IssueKeyRequest__Output, _geolookup_auth_v1_IssueKeyResponse>;
  
  /**
   * Issues prepared keys: all or, if a request is invalid, none. Issuing a key again changes nothing, so an interrupted call can be
   * repeated.
   */
  IssueKeys: grpc.handleUnaryCall<_geolookup_auth_v1_IssueKeysRequest__Output, _geolookup_auth_v1_IssueKeysResponse>;
  
  ListCustomers: grpc.handleUnaryCall<_geolookup_auth_v1_ListCustomersRequest__Output, _geolookup_auth_v1_ListCustomersResponse>;
  
  ListKeys: grpc.handleUnaryCall<_geolookup_auth_v1_ListKeysRequest__Output, _geolookup_auth_v1_ListKeysResponse>;
  
  /**
   * Checks the requests and creates keys for them, which aren't valid until they are issued with IssueKeys. Records nothing.
   */
  PrepareKeys: grpc.handleUnaryCall<_geolookup_auth_v1_IssueKeysRequest__Output, _geolookup_auth_v1_PrepareKeysResponse>;
  
  RevokeKey: grpc.handleUnaryCall<_geolookup_auth_v1_StopKeyRequest__Output, _geolookup_auth_v1_Key>;
  
  /**
   * Issues a successor with the same plan, origins, label, metadata, customer and permission, in one event. Both keys share a quota. The
   * rotated key ends by itself.
   */
  RotateKey: grpc.handleUnaryCall<_geolookup_auth_v1_RotateKeyRequest__Output, _geolookup_auth_v1_IssueKeyResponse>;
  
  /**
   * Moves a key to a customer, or away from its customer. It counts toward the other quota from the next month on.
   */
  SetCustomer: grpc.handleUnaryCall<_geolookup_auth_v1_SetCustomerRequest__Output, _geolookup_auth_v1_Key>;
  
  SetExpiry: grpc.handleUnaryCall<_geolookup_auth_v1_SetExpiryRequest__Output, _geolookup_auth_v1_Key>;
  
  SetLabel: grpc.handleUnaryCall<_geolookup_auth_v1_SetLabelRequest__Output, _geolookup_auth_v1_Key>;
  
  /**
   * Replaces all metadata of a key.
   */
  SetMetadata: grpc.handleUnaryCall<_geolookup_auth_v1_SetMetadataRequest__Output, _geolookup_auth_v1_Key>;
  
  SetOrigins: grpc.handleUnaryCall<_geolookup_auth_v1_SetOriginsRequest__Output, _geolookup_auth_v1_Key>;
  
  SetPlan: grpc.handleUnaryCall<_geolookup_auth_v1_SetPlanRequest__Output, _geolookup_auth_v1_Key>;
  
}

export interface KeyAdminDefinition extends grpc.ServiceDefinition {
  AddCustomer: MethodDefinition<_geolookup_auth_v1_AddCustomerRequest, _geolookup_auth_v1_Customer, _geolookup_auth_v1_AddCustomerRequest__Output, _geolookup_auth_v1_Customer__Output>
  ChangeCustomer: MethodDefinition<_geolookup_auth_v1_ChangeCustomerRequest, _geolookup_auth_v1_Customer, _geolookup_auth_v1_ChangeCustomerRequest__Output, _geolookup_auth_v1_Customer__Output>
  CheckPlans: MethodDefinition<_geolookup_auth_v1_CheckPlansRequest, _geolookup_auth_v1_PlansCheck, _geolookup_auth_v1_CheckPlansRequest__Output, _geolookup_auth_v1_PlansCheck__Output>
  ConfirmPlans: MethodDefinition<_geolookup_auth_v1_ConfirmPlansRequest, _geolookup_auth_v1_GetPlansResponse, _geolookup_auth_v1_ConfirmPlansRequest__Output, _geolookup_auth_v1_GetPlansResponse__Output>
  DisableCustomer: MethodDefinition<_geolookup_auth_v1_DisableCustomerRequest, _geolookup_auth_v1_Customer, _geolookup_auth_v1_DisableCustomerRequest__Output, _geolookup_auth_v1_Customer__Output>
  DisableKey: MethodDefinition<_geolookup_auth_v1_StopKeyRequest, _geolookup_auth_v1_Key, _geolookup_auth_v1_StopKeyRequest__Output, _geolookup_auth_v1_Key__Output>
  EnableCustomer: MethodDefinition<_geolookup_auth_v1_CustomerRequest, _geolookup_auth_v1_Customer, _geolookup_auth_v1_CustomerRequest__Output, _geolookup_auth_v1_Customer__Output>
  EnableKey: MethodDefinition<_geolookup_auth_v1_KeyRequest, _geolookup_auth_v1_Key, _geolookup_auth_v1_KeyRequest__Output, _geolookup_auth_v1_Key__Output>
  FindKeys: MethodDefinition<_geolookup_auth_v1_FindKeysRequest, _geolookup_auth_v1_FindKeysResponse, _geolookup_auth_v1_FindKeysRequest__Output, _geolookup_auth_v1_FindKeysResponse__Output>
  FinishUpgrade: MethodDefinition<_geolookup_auth_v1_FinishUpgradeRequest, _geolookup_auth_v1_FinishUpgradeResponse, _geolookup_auth_v1_FinishUpgradeRequest__Output, _geolookup_auth_v1_FinishUpgradeResponse__Output>
  GetCustomer: MethodDefinition<_geolookup_auth_v1_CustomerRequest, _geolookup_auth_v1_Customer, _geolookup_auth_v1_CustomerRequest__Output, _geolookup_auth_v1_Customer__Output>
  GetHistory: MethodDefinition<_geolookup_auth_v1_KeyRequest, _geolookup_auth_v1_GetHistoryResponse, _geolookup_auth_v1_KeyRequest__Output, _geolookup_auth_v1_GetHistoryResponse__Output>
  GetKey: MethodDefinition<_geolookup_auth_v1_KeyRequest, _geolookup_auth_v1_Key, _geolookup_auth_v1_KeyRequest__Output, _geolookup_auth_v1_Key__Output>
  GetPlans: MethodDefinition<_geolookup_auth_v1_Empty, _geolookup_auth_v1_GetPlansResponse, _geolookup_auth_v1_Empty__Output, _geolookup_auth_v1_GetPlansResponse__Output>
  IssueKey: MethodDefinition<_geolookup_auth_v1_IssueKeyRequest, _geolookup_auth_v1_IssueKeyResponse, _geolookup_auth_v1_IssueKeyRequest__Output, _geolookup_auth_v1_IssueKeyResponse__Output>
  IssueKeys: MethodDefinition<_geolookup_auth_v1_IssueKeysRequest, _geolookup_auth_v1_IssueKeysResponse, _geolookup_auth_v1_IssueKeysRequest__Output, _geolookup_auth_v1_IssueKeysResponse__Output>
  ListCustomers: MethodDefinition<_geolookup_auth_v1_ListCustomersRequest, _geolookup_auth_v1_ListCustomersResponse, _geolookup_auth_v1_ListCustomersRequest__Output, _geolookup_auth_v1_ListCustomersResponse__Output>
  ListKeys: MethodDefinition<_geolookup_auth_v1_ListKeysRequest, _geolookup_auth_v1_ListKeysResponse, _geolookup_auth_v1_ListKeysRequest__Output, _geolookup_auth_v1_ListKeysResponse__Output>
  PrepareKeys: MethodDefinition<_geolookup_auth_v1_IssueKeysRequest, _geolookup_auth_v1_PrepareKeysResponse, _geolookup_auth_v1_IssueKeysRequest__Output, _geolookup_auth_v1_PrepareKeysResponse__Output>
  RevokeKey: MethodDefinition<_geolookup_auth_v1_StopKeyRequest, _geolookup_auth_v1_Key, _geolookup_auth_v1_StopKeyRequest__Output, _geolookup_auth_v1_Key__Output>
  RotateKey: MethodDefinition<_geolookup_auth_v1_RotateKeyRequest, _geolookup_auth_v1_IssueKeyResponse, _geolookup_auth_v1_RotateKeyRequest__Output, _geolookup_auth_v1_IssueKeyResponse__Output>
  SetCustomer: MethodDefinition<_geolookup_auth_v1_SetCustomerRequest, _geolookup_auth_v1_Key, _geolookup_auth_v1_SetCustomerRequest__Output, _geolookup_auth_v1_Key__Output>
  SetExpiry: MethodDefinition<_geolookup_auth_v1_SetExpiryRequest, _geolookup_auth_v1_Key, _geolookup_auth_v1_SetExpiryRequest__Output, _geolookup_auth_v1_Key__Output>
  SetLabel: MethodDefinition<_geolookup_auth_v1_SetLabelRequest, _geolookup_auth_v1_Key, _geolookup_auth_v1_SetLabelRequest__Output, _geolookup_auth_v1_Key__Output>
  SetMetadata: MethodDefinition<_geolookup_auth_v1_SetMetadataRequest, _geolookup_auth_v1_Key, _geolookup_auth_v1_SetMetadataRequest__Output, _geolookup_auth_v1_Key__Output>
  SetOrigins: MethodDefinition<_geolookup_auth_v1_SetOriginsRequest, _geolookup_auth_v1_Key, _geolookup_auth_v1_SetOriginsRequest__Output, _geolookup_auth_v1_Key__Output>
  SetPlan: MethodDefinition<_geolookup_auth_v1_SetPlanRequest, _geolookup_auth_v1_Key, _geolookup_auth_v1_SetPlanRequest__Output, _geolookup_auth_v1_Key__Output>
}
