import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

import type { AuthClient as _geolookup_auth_v1_AuthClient, AuthDefinition as _geolookup_auth_v1_AuthDefinition } from './geolookup/auth/v1/Auth.ts';
import type { Authorization as _geolookup_auth_v1_Authorization, Authorization__Output as _geolookup_auth_v1_Authorization__Output } from './geolookup/auth/v1/Authorization.ts';
import type { AuthorizeRequest as _geolookup_auth_v1_AuthorizeRequest, AuthorizeRequest__Output as _geolookup_auth_v1_AuthorizeRequest__Output } from './geolookup/auth/v1/AuthorizeRequest.ts';
import type { AuthorizeResponse as _geolookup_auth_v1_AuthorizeResponse, AuthorizeResponse__Output as _geolookup_auth_v1_AuthorizeResponse__Output } from './geolookup/auth/v1/AuthorizeResponse.ts';
import type { Check as _geolookup_auth_v1_Check, Check__Output as _geolookup_auth_v1_Check__Output } from './geolookup/auth/v1/Check.ts';
import type { CheckPlansRequest as _geolookup_auth_v1_CheckPlansRequest, CheckPlansRequest__Output as _geolookup_auth_v1_CheckPlansRequest__Output } from './geolookup/auth/v1/CheckPlansRequest.ts';
import type { ConfirmPlansRequest as _geolookup_auth_v1_ConfirmPlansRequest, ConfirmPlansRequest__Output as _geolookup_auth_v1_ConfirmPlansRequest__Output } from './geolookup/auth/v1/ConfirmPlansRequest.ts';
import type { Event as _geolookup_auth_v1_Event, Event__Output as _geolookup_auth_v1_Event__Output } from './geolookup/auth/v1/Event.ts';
import type { GetHistoryRequest as _geolookup_auth_v1_GetHistoryRequest, GetHistoryRequest__Output as _geolookup_auth_v1_GetHistoryRequest__Output } from './geolookup/auth/v1/GetHistoryRequest.ts';
import type { GetHistoryResponse as _geolookup_auth_v1_GetHistoryResponse, GetHistoryResponse__Output as _geolookup_auth_v1_GetHistoryResponse__Output } from './geolookup/auth/v1/GetHistoryResponse.ts';
import type { GetKeyRequest as _geolookup_auth_v1_GetKeyRequest, GetKeyRequest__Output as _geolookup_auth_v1_GetKeyRequest__Output } from './geolookup/auth/v1/GetKeyRequest.ts';
import type { GetPlansRequest as _geolookup_auth_v1_GetPlansRequest, GetPlansRequest__Output as _geolookup_auth_v1_GetPlansRequest__Output } from './geolookup/auth/v1/GetPlansRequest.ts';
import type { GetPlansResponse as _geolookup_auth_v1_GetPlansResponse, GetPlansResponse__Output as _geolookup_auth_v1_GetPlansResponse__Output } from './geolookup/auth/v1/GetPlansResponse.ts';
import type { Grant as _geolookup_auth_v1_Grant, Grant__Output as _geolookup_auth_v1_Grant__Output } from './geolookup/auth/v1/Grant.ts';
import type { IssueKeyRequest as _geolookup_auth_v1_IssueKeyRequest, IssueKeyRequest__Output as _geolookup_auth_v1_IssueKeyRequest__Output } from './geolookup/auth/v1/IssueKeyRequest.ts';
import type { IssueKeyResponse as _geolookup_auth_v1_IssueKeyResponse, IssueKeyResponse__Output as _geolookup_auth_v1_IssueKeyResponse__Output } from './geolookup/auth/v1/IssueKeyResponse.ts';
import type { Key as _geolookup_auth_v1_Key, Key__Output as _geolookup_auth_v1_Key__Output } from './geolookup/auth/v1/Key.ts';
import type { KeyAdminClient as _geolookup_auth_v1_KeyAdminClient, KeyAdminDefinition as _geolookup_auth_v1_KeyAdminDefinition } from './geolookup/auth/v1/KeyAdmin.ts';
import type { Limits as _geolookup_auth_v1_Limits, Limits__Output as _geolookup_auth_v1_Limits__Output } from './geolookup/auth/v1/Limits.ts';
import type { ListKeysRequest as _geolookup_auth_v1_ListKeysRequest, ListKeysRequest__Output as _geolookup_auth_v1_ListKeysRequest__Output } from './geolookup/auth/v1/ListKeysRequest.ts';
import type { ListKeysResponse as _geolookup_auth_v1_ListKeysResponse, ListKeysResponse__Output as _geolookup_auth_v1_ListKeysResponse__Output } from './geolookup/auth/v1/ListKeysResponse.ts';
import type { PlanDifference as _geolookup_auth_v1_PlanDifference, PlanDifference__Output as _geolookup_auth_v1_PlanDifference__Output } from './geolookup/auth/v1/PlanDifference.ts';
import type { PlansCheck as _geolookup_auth_v1_PlansCheck, PlansCheck__Output as _geolookup_auth_v1_PlansCheck__Output } from './geolookup/auth/v1/PlansCheck.ts';
import type { RevokeKeyRequest as _geolookup_auth_v1_RevokeKeyRequest, RevokeKeyRequest__Output as _geolookup_auth_v1_RevokeKeyRequest__Output } from './geolookup/auth/v1/RevokeKeyRequest.ts';
import type { SetLabelRequest as _geolookup_auth_v1_SetLabelRequest, SetLabelRequest__Output as _geolookup_auth_v1_SetLabelRequest__Output } from './geolookup/auth/v1/SetLabelRequest.ts';
import type { SetOriginsRequest as _geolookup_auth_v1_SetOriginsRequest, SetOriginsRequest__Output as _geolookup_auth_v1_SetOriginsRequest__Output } from './geolookup/auth/v1/SetOriginsRequest.ts';
import type { SetPlanRequest as _geolookup_auth_v1_SetPlanRequest, SetPlanRequest__Output as _geolookup_auth_v1_SetPlanRequest__Output } from './geolookup/auth/v1/SetPlanRequest.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  geolookup: {
    auth: {
      v1: {
        /**
         * Decides what keys may do. One call carries many checks.
         */
        Auth: SubtypeConstructor<typeof grpc.Client, _geolookup_auth_v1_AuthClient> & { service: _geolookup_auth_v1_AuthDefinition }
        Authorization: MessageTypeDefinition<_geolookup_auth_v1_Authorization, _geolookup_auth_v1_Authorization__Output>
        AuthorizeRequest: MessageTypeDefinition<_geolookup_auth_v1_AuthorizeRequest, _geolookup_auth_v1_AuthorizeRequest__Output>
        AuthorizeResponse: MessageTypeDefinition<_geolookup_auth_v1_AuthorizeResponse, _geolookup_auth_v1_AuthorizeResponse__Output>
        Check: MessageTypeDefinition<_geolookup_auth_v1_Check, _geolookup_auth_v1_Check__Output>
        CheckPlansRequest: MessageTypeDefinition<_geolookup_auth_v1_CheckPlansRequest, _geolookup_auth_v1_CheckPlansRequest__Output>
        ConfirmPlansRequest: MessageTypeDefinition<_geolookup_auth_v1_ConfirmPlansRequest, _geolookup_auth_v1_ConfirmPlansRequest__Output>
        Event: MessageTypeDefinition<_geolookup_auth_v1_Event, _geolookup_auth_v1_Event__Output>
        FieldSet: EnumTypeDefinition
        GetHistoryRequest: MessageTypeDefinition<_geolookup_auth_v1_GetHistoryRequest, _geolookup_auth_v1_GetHistoryRequest__Output>
        GetHistoryResponse: MessageTypeDefinition<_geolookup_auth_v1_GetHistoryResponse, _geolookup_auth_v1_GetHistoryResponse__Output>
        GetKeyRequest: MessageTypeDefinition<_geolookup_auth_v1_GetKeyRequest, _geolookup_auth_v1_GetKeyRequest__Output>
        GetPlansRequest: MessageTypeDefinition<_geolookup_auth_v1_GetPlansRequest, _geolookup_auth_v1_GetPlansRequest__Output>
        GetPlansResponse: MessageTypeDefinition<_geolookup_auth_v1_GetPlansResponse, _geolookup_auth_v1_GetPlansResponse__Output>
        Grant: MessageTypeDefinition<_geolookup_auth_v1_Grant, _geolookup_auth_v1_Grant__Output>
        IssueKeyRequest: MessageTypeDefinition<_geolookup_auth_v1_IssueKeyRequest, _geolookup_auth_v1_IssueKeyRequest__Output>
        IssueKeyResponse: MessageTypeDefinition<_geolookup_auth_v1_IssueKeyResponse, _geolookup_auth_v1_IssueKeyResponse__Output>
        Key: MessageTypeDefinition<_geolookup_auth_v1_Key, _geolookup_auth_v1_Key__Output>
        /**
         * Administration of keys. Every call needs the metadata `authorization: Bearer <ADMIN_TOKEN>`.
         * Errors: UNAUTHENTICATED (missing or wrong token), INVALID_ARGUMENT (invalid input), NOT_FOUND (unknown key ID),
         * FAILED_PRECONDITION (not possible in the key's state), ABORTED (a concurrent change won, or the key has another
         * version than expected), UNAVAILABLE (the event log is not writable).
         */
        KeyAdmin: SubtypeConstructor<typeof grpc.Client, _geolookup_auth_v1_KeyAdminClient> & { service: _geolookup_auth_v1_KeyAdminDefinition }
        KeyKind: EnumTypeDefinition
        Limits: MessageTypeDefinition<_geolookup_auth_v1_Limits, _geolookup_auth_v1_Limits__Output>
        ListKeysRequest: MessageTypeDefinition<_geolookup_auth_v1_ListKeysRequest, _geolookup_auth_v1_ListKeysRequest__Output>
        ListKeysResponse: MessageTypeDefinition<_geolookup_auth_v1_ListKeysResponse, _geolookup_auth_v1_ListKeysResponse__Output>
        Outcome: EnumTypeDefinition
        PlanDifference: MessageTypeDefinition<_geolookup_auth_v1_PlanDifference, _geolookup_auth_v1_PlanDifference__Output>
        PlansCheck: MessageTypeDefinition<_geolookup_auth_v1_PlansCheck, _geolookup_auth_v1_PlansCheck__Output>
        RevokeKeyRequest: MessageTypeDefinition<_geolookup_auth_v1_RevokeKeyRequest, _geolookup_auth_v1_RevokeKeyRequest__Output>
        SetLabelRequest: MessageTypeDefinition<_geolookup_auth_v1_SetLabelRequest, _geolookup_auth_v1_SetLabelRequest__Output>
        SetOriginsRequest: MessageTypeDefinition<_geolookup_auth_v1_SetOriginsRequest, _geolookup_auth_v1_SetOriginsRequest__Output>
        SetPlanRequest: MessageTypeDefinition<_geolookup_auth_v1_SetPlanRequest, _geolookup_auth_v1_SetPlanRequest__Output>
      }
    }
  }
}

