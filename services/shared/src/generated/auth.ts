import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

import type { AddCustomerRequest as _geolookup_auth_v1_AddCustomerRequest, AddCustomerRequest__Output as _geolookup_auth_v1_AddCustomerRequest__Output } from './geolookup/auth/v1/AddCustomerRequest.ts';
import type { AddOperatorRequest as _geolookup_auth_v1_AddOperatorRequest, AddOperatorRequest__Output as _geolookup_auth_v1_AddOperatorRequest__Output } from './geolookup/auth/v1/AddOperatorRequest.ts';
import type { AuditClient as _geolookup_auth_v1_AuditClient, AuditDefinition as _geolookup_auth_v1_AuditDefinition } from './geolookup/auth/v1/Audit.ts';
import type { AuditEntry as _geolookup_auth_v1_AuditEntry, AuditEntry__Output as _geolookup_auth_v1_AuditEntry__Output } from './geolookup/auth/v1/AuditEntry.ts';
import type { AuthClient as _geolookup_auth_v1_AuthClient, AuthDefinition as _geolookup_auth_v1_AuthDefinition } from './geolookup/auth/v1/Auth.ts';
import type { Authorization as _geolookup_auth_v1_Authorization, Authorization__Output as _geolookup_auth_v1_Authorization__Output } from './geolookup/auth/v1/Authorization.ts';
import type { AuthorizeRequest as _geolookup_auth_v1_AuthorizeRequest, AuthorizeRequest__Output as _geolookup_auth_v1_AuthorizeRequest__Output } from './geolookup/auth/v1/AuthorizeRequest.ts';
import type { AuthorizeResponse as _geolookup_auth_v1_AuthorizeResponse, AuthorizeResponse__Output as _geolookup_auth_v1_AuthorizeResponse__Output } from './geolookup/auth/v1/AuthorizeResponse.ts';
import type { ChangeCustomerRequest as _geolookup_auth_v1_ChangeCustomerRequest, ChangeCustomerRequest__Output as _geolookup_auth_v1_ChangeCustomerRequest__Output } from './geolookup/auth/v1/ChangeCustomerRequest.ts';
import type { Check as _geolookup_auth_v1_Check, Check__Output as _geolookup_auth_v1_Check__Output } from './geolookup/auth/v1/Check.ts';
import type { CheckPlansRequest as _geolookup_auth_v1_CheckPlansRequest, CheckPlansRequest__Output as _geolookup_auth_v1_CheckPlansRequest__Output } from './geolookup/auth/v1/CheckPlansRequest.ts';
import type { ConfirmPlansRequest as _geolookup_auth_v1_ConfirmPlansRequest, ConfirmPlansRequest__Output as _geolookup_auth_v1_ConfirmPlansRequest__Output } from './geolookup/auth/v1/ConfirmPlansRequest.ts';
import type { Customer as _geolookup_auth_v1_Customer, Customer__Output as _geolookup_auth_v1_Customer__Output } from './geolookup/auth/v1/Customer.ts';
import type { CustomerRequest as _geolookup_auth_v1_CustomerRequest, CustomerRequest__Output as _geolookup_auth_v1_CustomerRequest__Output } from './geolookup/auth/v1/CustomerRequest.ts';
import type { DisableCustomerRequest as _geolookup_auth_v1_DisableCustomerRequest, DisableCustomerRequest__Output as _geolookup_auth_v1_DisableCustomerRequest__Output } from './geolookup/auth/v1/DisableCustomerRequest.ts';
import type { Empty as _geolookup_auth_v1_Empty, Empty__Output as _geolookup_auth_v1_Empty__Output } from './geolookup/auth/v1/Empty.ts';
import type { Event as _geolookup_auth_v1_Event, Event__Output as _geolookup_auth_v1_Event__Output } from './geolookup/auth/v1/Event.ts';
import type { FindKeysRequest as _geolookup_auth_v1_FindKeysRequest, FindKeysRequest__Output as _geolookup_auth_v1_FindKeysRequest__Output } from './geolookup/auth/v1/FindKeysRequest.ts';
import type { FindKeysResponse as _geolookup_auth_v1_FindKeysResponse, FindKeysResponse__Output as _geolookup_auth_v1_FindKeysResponse__Output } from './geolookup/auth/v1/FindKeysResponse.ts';
import type { FinishUpgradeRequest as _geolookup_auth_v1_FinishUpgradeRequest, FinishUpgradeRequest__Output as _geolookup_auth_v1_FinishUpgradeRequest__Output } from './geolookup/auth/v1/FinishUpgradeRequest.ts';
import type { FinishUpgradeResponse as _geolookup_auth_v1_FinishUpgradeResponse, FinishUpgradeResponse__Output as _geolookup_auth_v1_FinishUpgradeResponse__Output } from './geolookup/auth/v1/FinishUpgradeResponse.ts';
import type { FoundKey as _geolookup_auth_v1_FoundKey, FoundKey__Output as _geolookup_auth_v1_FoundKey__Output } from './geolookup/auth/v1/FoundKey.ts';
import type { GetHistoryResponse as _geolookup_auth_v1_GetHistoryResponse, GetHistoryResponse__Output as _geolookup_auth_v1_GetHistoryResponse__Output } from './geolookup/auth/v1/GetHistoryResponse.ts';
import type { GetPlansResponse as _geolookup_auth_v1_GetPlansResponse, GetPlansResponse__Output as _geolookup_auth_v1_GetPlansResponse__Output } from './geolookup/auth/v1/GetPlansResponse.ts';
import type { GetRecordRequest as _geolookup_auth_v1_GetRecordRequest, GetRecordRequest__Output as _geolookup_auth_v1_GetRecordRequest__Output } from './geolookup/auth/v1/GetRecordRequest.ts';
import type { Grant as _geolookup_auth_v1_Grant, Grant__Output as _geolookup_auth_v1_Grant__Output } from './geolookup/auth/v1/Grant.ts';
import type { IdempotencyClient as _geolookup_auth_v1_IdempotencyClient, IdempotencyDefinition as _geolookup_auth_v1_IdempotencyDefinition } from './geolookup/auth/v1/Idempotency.ts';
import type { IdempotencyRecord as _geolookup_auth_v1_IdempotencyRecord, IdempotencyRecord__Output as _geolookup_auth_v1_IdempotencyRecord__Output } from './geolookup/auth/v1/IdempotencyRecord.ts';
import type { IssueKeyRequest as _geolookup_auth_v1_IssueKeyRequest, IssueKeyRequest__Output as _geolookup_auth_v1_IssueKeyRequest__Output } from './geolookup/auth/v1/IssueKeyRequest.ts';
import type { IssueKeyResponse as _geolookup_auth_v1_IssueKeyResponse, IssueKeyResponse__Output as _geolookup_auth_v1_IssueKeyResponse__Output } from './geolookup/auth/v1/IssueKeyResponse.ts';
import type { IssueKeysRequest as _geolookup_auth_v1_IssueKeysRequest, IssueKeysRequest__Output as _geolookup_auth_v1_IssueKeysRequest__Output } from './geolookup/auth/v1/IssueKeysRequest.ts';
import type { IssueKeysResponse as _geolookup_auth_v1_IssueKeysResponse, IssueKeysResponse__Output as _geolookup_auth_v1_IssueKeysResponse__Output } from './geolookup/auth/v1/IssueKeysResponse.ts';
import type { IssueProblem as _geolookup_auth_v1_IssueProblem, IssueProblem__Output as _geolookup_auth_v1_IssueProblem__Output } from './geolookup/auth/v1/IssueProblem.ts';
import type { IssuedOperator as _geolookup_auth_v1_IssuedOperator, IssuedOperator__Output as _geolookup_auth_v1_IssuedOperator__Output } from './geolookup/auth/v1/IssuedOperator.ts';
import type { Key as _geolookup_auth_v1_Key, Key__Output as _geolookup_auth_v1_Key__Output } from './geolookup/auth/v1/Key.ts';
import type { KeyAdminClient as _geolookup_auth_v1_KeyAdminClient, KeyAdminDefinition as _geolookup_auth_v1_KeyAdminDefinition } from './geolookup/auth/v1/KeyAdmin.ts';
import type { KeyEnd as _geolookup_auth_v1_KeyEnd, KeyEnd__Output as _geolookup_auth_v1_KeyEnd__Output } from './geolookup/auth/v1/KeyEnd.ts';
import type { KeyRequest as _geolookup_auth_v1_KeyRequest, KeyRequest__Output as _geolookup_auth_v1_KeyRequest__Output } from './geolookup/auth/v1/KeyRequest.ts';
import type { Limits as _geolookup_auth_v1_Limits, Limits__Output as _geolookup_auth_v1_Limits__Output } from './geolookup/auth/v1/Limits.ts';
import type { ListCustomersRequest as _geolookup_auth_v1_ListCustomersRequest, ListCustomersRequest__Output as _geolookup_auth_v1_ListCustomersRequest__Output } from './geolookup/auth/v1/ListCustomersRequest.ts';
import type { ListCustomersResponse as _geolookup_auth_v1_ListCustomersResponse, ListCustomersResponse__Output as _geolookup_auth_v1_ListCustomersResponse__Output } from './geolookup/auth/v1/ListCustomersResponse.ts';
import type { ListEntriesRequest as _geolookup_auth_v1_ListEntriesRequest, ListEntriesRequest__Output as _geolookup_auth_v1_ListEntriesRequest__Output } from './geolookup/auth/v1/ListEntriesRequest.ts';
import type { ListEntriesResponse as _geolookup_auth_v1_ListEntriesResponse, ListEntriesResponse__Output as _geolookup_auth_v1_ListEntriesResponse__Output } from './geolookup/auth/v1/ListEntriesResponse.ts';
import type { ListKeysRequest as _geolookup_auth_v1_ListKeysRequest, ListKeysRequest__Output as _geolookup_auth_v1_ListKeysRequest__Output } from './geolookup/auth/v1/ListKeysRequest.ts';
import type { ListKeysResponse as _geolookup_auth_v1_ListKeysResponse, ListKeysResponse__Output as _geolookup_auth_v1_ListKeysResponse__Output } from './geolookup/auth/v1/ListKeysResponse.ts';
import type { ListOperatorsResponse as _geolookup_auth_v1_ListOperatorsResponse, ListOperatorsResponse__Output as _geolookup_auth_v1_ListOperatorsResponse__Output } from './geolookup/auth/v1/ListOperatorsResponse.ts';
import type { Operator as _geolookup_auth_v1_Operator, Operator__Output as _geolookup_auth_v1_Operator__Output } from './geolookup/auth/v1/Operator.ts';
import type { OperatorsClient as _geolookup_auth_v1_OperatorsClient, OperatorsDefinition as _geolookup_auth_v1_OperatorsDefinition } from './geolookup/auth/v1/Operators.ts';
import type { PlanDifference as _geolookup_auth_v1_PlanDifference, PlanDifference__Output as _geolookup_auth_v1_PlanDifference__Output } from './geolookup/auth/v1/PlanDifference.ts';
import type { PlansCheck as _geolookup_auth_v1_PlansCheck, PlansCheck__Output as _geolookup_auth_v1_PlansCheck__Output } from './geolookup/auth/v1/PlansCheck.ts';
import type { PrepareKeysResponse as _geolookup_auth_v1_PrepareKeysResponse, PrepareKeysResponse__Output as _geolookup_auth_v1_PrepareKeysResponse__Output } from './geolookup/auth/v1/PrepareKeysResponse.ts';
import type { PreparedKey as _geolookup_auth_v1_PreparedKey, PreparedKey__Output as _geolookup_auth_v1_PreparedKey__Output } from './geolookup/auth/v1/PreparedKey.ts';
import type { Quota as _geolookup_auth_v1_Quota, Quota__Output as _geolookup_auth_v1_Quota__Output } from './geolookup/auth/v1/Quota.ts';
import type { RecordEntryRequest as _geolookup_auth_v1_RecordEntryRequest, RecordEntryRequest__Output as _geolookup_auth_v1_RecordEntryRequest__Output } from './geolookup/auth/v1/RecordEntryRequest.ts';
import type { RemoveOperatorRequest as _geolookup_auth_v1_RemoveOperatorRequest, RemoveOperatorRequest__Output as _geolookup_auth_v1_RemoveOperatorRequest__Output } from './geolookup/auth/v1/RemoveOperatorRequest.ts';
import type { ReplaceOperatorTokenRequest as _geolookup_auth_v1_ReplaceOperatorTokenRequest, ReplaceOperatorTokenRequest__Output as _geolookup_auth_v1_ReplaceOperatorTokenRequest__Output } from './geolookup/auth/v1/ReplaceOperatorTokenRequest.ts';
import type { RotateKeyRequest as _geolookup_auth_v1_RotateKeyRequest, RotateKeyRequest__Output as _geolookup_auth_v1_RotateKeyRequest__Output } from './geolookup/auth/v1/RotateKeyRequest.ts';
import type { SetCustomerRequest as _geolookup_auth_v1_SetCustomerRequest, SetCustomerRequest__Output as _geolookup_auth_v1_SetCustomerRequest__Output } from './geolookup/auth/v1/SetCustomerRequest.ts';
import type { SetExpiryRequest as _geolookup_auth_v1_SetExpiryRequest, SetExpiryRequest__Output as _geolookup_auth_v1_SetExpiryRequest__Output } from './geolookup/auth/v1/SetExpiryRequest.ts';
import type { SetLabelRequest as _geolookup_auth_v1_SetLabelRequest, SetLabelRequest__Output as _geolookup_auth_v1_SetLabelRequest__Output } from './geolookup/auth/v1/SetLabelRequest.ts';
import type { SetMetadataRequest as _geolookup_auth_v1_SetMetadataRequest, SetMetadataRequest__Output as _geolookup_auth_v1_SetMetadataRequest__Output } from './geolookup/auth/v1/SetMetadataRequest.ts';
import type { SetOperatorRoleRequest as _geolookup_auth_v1_SetOperatorRoleRequest, SetOperatorRoleRequest__Output as _geolookup_auth_v1_SetOperatorRoleRequest__Output } from './geolookup/auth/v1/SetOperatorRoleRequest.ts';
import type { SetOriginsRequest as _geolookup_auth_v1_SetOriginsRequest, SetOriginsRequest__Output as _geolookup_auth_v1_SetOriginsRequest__Output } from './geolookup/auth/v1/SetOriginsRequest.ts';
import type { SetPlanRequest as _geolookup_auth_v1_SetPlanRequest, SetPlanRequest__Output as _geolookup_auth_v1_SetPlanRequest__Output } from './geolookup/auth/v1/SetPlanRequest.ts';
import type { StopKeyRequest as _geolookup_auth_v1_StopKeyRequest, StopKeyRequest__Output as _geolookup_auth_v1_StopKeyRequest__Output } from './geolookup/auth/v1/StopKeyRequest.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  geolookup: {
    auth: {
      v1: {
        AddCustomerRequest: MessageTypeDefinition<_geolookup_auth_v1_AddCustomerRequest, _geolookup_auth_v1_AddCustomerRequest__Output>
        AddOperatorRequest: MessageTypeDefinition<_geolookup_auth_v1_AddOperatorRequest, _geolookup_auth_v1_AddOperatorRequest__Output>
        /**
         * The audit trail. Admins read all of it, other operators what concerns keys, customers and plans.
         */
        Audit: SubtypeConstructor<typeof grpc.Client, _geolookup_auth_v1_AuditClient> & { service: _geolookup_auth_v1_AuditDefinition }
        AuditEntry: MessageTypeDefinition<_geolookup_auth_v1_AuditEntry, _geolookup_auth_v1_AuditEntry__Output>
        /**
         * Decides what keys may do. One call carries many checks.
         */
        Auth: SubtypeConstructor<typeof grpc.Client, _geolookup_auth_v1_AuthClient> & { service: _geolookup_auth_v1_AuthDefinition }
        Authorization: MessageTypeDefinition<_geolookup_auth_v1_Authorization, _geolookup_auth_v1_Authorization__Output>
        AuthorizeRequest: MessageTypeDefinition<_geolookup_auth_v1_AuthorizeRequest, _geolookup_auth_v1_AuthorizeRequest__Output>
        AuthorizeResponse: MessageTypeDefinition<_geolookup_auth_v1_AuthorizeResponse, _geolookup_auth_v1_AuthorizeResponse__Output>
        ChangeCustomerRequest: MessageTypeDefinition<_geolookup_auth_v1_ChangeCustomerRequest, _geolookup_auth_v1_ChangeCustomerRequest__Output>
        Check: MessageTypeDefinition<_geolookup_auth_v1_Check, _geolookup_auth_v1_Check__Output>
        CheckPlansRequest: MessageTypeDefinition<_geolookup_auth_v1_CheckPlansRequest, _geolookup_auth_v1_CheckPlansRequest__Output>
        ConfirmPlansRequest: MessageTypeDefinition<_geolookup_auth_v1_ConfirmPlansRequest, _geolookup_auth_v1_ConfirmPlansRequest__Output>
        Customer: MessageTypeDefinition<_geolookup_auth_v1_Customer, _geolookup_auth_v1_Customer__Output>
        CustomerRequest: MessageTypeDefinition<_geolookup_auth_v1_CustomerRequest, _geolookup_auth_v1_CustomerRequest__Output>
        DisableCustomerRequest: MessageTypeDefinition<_geolookup_auth_v1_DisableCustomerRequest, _geolookup_auth_v1_DisableCustomerRequest__Output>
        Empty: MessageTypeDefinition<_geolookup_auth_v1_Empty, _geolookup_auth_v1_Empty__Output>
        Event: MessageTypeDefinition<_geolookup_auth_v1_Event, _geolookup_auth_v1_Event__Output>
        FieldSet: EnumTypeDefinition
        FindKeysRequest: MessageTypeDefinition<_geolookup_auth_v1_FindKeysRequest, _geolookup_auth_v1_FindKeysRequest__Output>
        FindKeysResponse: MessageTypeDefinition<_geolookup_auth_v1_FindKeysResponse, _geolookup_auth_v1_FindKeysResponse__Output>
        FinishUpgradeRequest: MessageTypeDefinition<_geolookup_auth_v1_FinishUpgradeRequest, _geolookup_auth_v1_FinishUpgradeRequest__Output>
        FinishUpgradeResponse: MessageTypeDefinition<_geolookup_auth_v1_FinishUpgradeResponse, _geolookup_auth_v1_FinishUpgradeResponse__Output>
        FoundKey: MessageTypeDefinition<_geolookup_auth_v1_FoundKey, _geolookup_auth_v1_FoundKey__Output>
        GetHistoryResponse: MessageTypeDefinition<_geolookup_auth_v1_GetHistoryResponse, _geolookup_auth_v1_GetHistoryResponse__Output>
        GetPlansResponse: MessageTypeDefinition<_geolookup_auth_v1_GetPlansResponse, _geolookup_auth_v1_GetPlansResponse__Output>
        GetRecordRequest: MessageTypeDefinition<_geolookup_auth_v1_GetRecordRequest, _geolookup_auth_v1_GetRecordRequest__Output>
        Grant: MessageTypeDefinition<_geolookup_auth_v1_Grant, _geolookup_auth_v1_Grant__Output>
        /**
         * What the admin API stores about changes with an Idempotency-Key, for 24 hours. Needs ADMIN_TOKEN.
         */
        Idempotency: SubtypeConstructor<typeof grpc.Client, _geolookup_auth_v1_IdempotencyClient> & { service: _geolookup_auth_v1_IdempotencyDefinition }
        IdempotencyRecord: MessageTypeDefinition<_geolookup_auth_v1_IdempotencyRecord, _geolookup_auth_v1_IdempotencyRecord__Output>
        IssueKeyRequest: MessageTypeDefinition<_geolookup_auth_v1_IssueKeyRequest, _geolookup_auth_v1_IssueKeyRequest__Output>
        IssueKeyResponse: MessageTypeDefinition<_geolookup_auth_v1_IssueKeyResponse, _geolookup_auth_v1_IssueKeyResponse__Output>
        IssueKeysRequest: MessageTypeDefinition<_geolookup_auth_v1_IssueKeysRequest, _geolookup_auth_v1_IssueKeysRequest__Output>
        IssueKeysResponse: MessageTypeDefinition<_geolookup_auth_v1_IssueKeysResponse, _geolookup_auth_v1_IssueKeysResponse__Output>
        IssueProblem: MessageTypeDefinition<_geolookup_auth_v1_IssueProblem, _geolookup_auth_v1_IssueProblem__Output>
        IssuedOperator: MessageTypeDefinition<_geolookup_auth_v1_IssuedOperator, _geolookup_auth_v1_IssuedOperator__Output>
        Key: MessageTypeDefinition<_geolookup_auth_v1_Key, _geolookup_auth_v1_Key__Output>
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
        KeyAdmin: SubtypeConstructor<typeof grpc.Client, _geolookup_auth_v1_KeyAdminClient> & { service: _geolookup_auth_v1_KeyAdminDefinition }
        KeyEnd: MessageTypeDefinition<_geolookup_auth_v1_KeyEnd, _geolookup_auth_v1_KeyEnd__Output>
        KeyKind: EnumTypeDefinition
        KeyRequest: MessageTypeDefinition<_geolookup_auth_v1_KeyRequest, _geolookup_auth_v1_KeyRequest__Output>
        Limits: MessageTypeDefinition<_geolookup_auth_v1_Limits, _geolookup_auth_v1_Limits__Output>
        ListCustomersRequest: MessageTypeDefinition<_geolookup_auth_v1_ListCustomersRequest, _geolookup_auth_v1_ListCustomersRequest__Output>
        ListCustomersResponse: MessageTypeDefinition<_geolookup_auth_v1_ListCustomersResponse, _geolookup_auth_v1_ListCustomersResponse__Output>
        ListEntriesRequest: MessageTypeDefinition<_geolookup_auth_v1_ListEntriesRequest, _geolookup_auth_v1_ListEntriesRequest__Output>
        ListEntriesResponse: MessageTypeDefinition<_geolookup_auth_v1_ListEntriesResponse, _geolookup_auth_v1_ListEntriesResponse__Output>
        ListKeysRequest: MessageTypeDefinition<_geolookup_auth_v1_ListKeysRequest, _geolookup_auth_v1_ListKeysRequest__Output>
        ListKeysResponse: MessageTypeDefinition<_geolookup_auth_v1_ListKeysResponse, _geolookup_auth_v1_ListKeysResponse__Output>
        ListOperatorsResponse: MessageTypeDefinition<_geolookup_auth_v1_ListOperatorsResponse, _geolookup_auth_v1_ListOperatorsResponse__Output>
        Operator: MessageTypeDefinition<_geolookup_auth_v1_Operator, _geolookup_auth_v1_Operator__Output>
        /**
         * Operators and their roles. For the token, see KeyAdmin. Only admins can change operators.
         */
        Operators: SubtypeConstructor<typeof grpc.Client, _geolookup_auth_v1_OperatorsClient> & { service: _geolookup_auth_v1_OperatorsDefinition }
        Outcome: EnumTypeDefinition
        PlanDifference: MessageTypeDefinition<_geolookup_auth_v1_PlanDifference, _geolookup_auth_v1_PlanDifference__Output>
        PlansCheck: MessageTypeDefinition<_geolookup_auth_v1_PlansCheck, _geolookup_auth_v1_PlansCheck__Output>
        PrepareKeysResponse: MessageTypeDefinition<_geolookup_auth_v1_PrepareKeysResponse, _geolookup_auth_v1_PrepareKeysResponse__Output>
        PreparedKey: MessageTypeDefinition<_geolookup_auth_v1_PreparedKey, _geolookup_auth_v1_PreparedKey__Output>
        Quota: MessageTypeDefinition<_geolookup_auth_v1_Quota, _geolookup_auth_v1_Quota__Output>
        RecordEntryRequest: MessageTypeDefinition<_geolookup_auth_v1_RecordEntryRequest, _geolookup_auth_v1_RecordEntryRequest__Output>
        RemoveOperatorRequest: MessageTypeDefinition<_geolookup_auth_v1_RemoveOperatorRequest, _geolookup_auth_v1_RemoveOperatorRequest__Output>
        ReplaceOperatorTokenRequest: MessageTypeDefinition<_geolookup_auth_v1_ReplaceOperatorTokenRequest, _geolookup_auth_v1_ReplaceOperatorTokenRequest__Output>
        RotateKeyRequest: MessageTypeDefinition<_geolookup_auth_v1_RotateKeyRequest, _geolookup_auth_v1_RotateKeyRequest__Output>
        SetCustomerRequest: MessageTypeDefinition<_geolookup_auth_v1_SetCustomerRequest, _geolookup_auth_v1_SetCustomerRequest__Output>
        SetExpiryRequest: MessageTypeDefinition<_geolookup_auth_v1_SetExpiryRequest, _geolookup_auth_v1_SetExpiryRequest__Output>
        SetLabelRequest: MessageTypeDefinition<_geolookup_auth_v1_SetLabelRequest, _geolookup_auth_v1_SetLabelRequest__Output>
        SetMetadataRequest: MessageTypeDefinition<_geolookup_auth_v1_SetMetadataRequest, _geolookup_auth_v1_SetMetadataRequest__Output>
        SetOperatorRoleRequest: MessageTypeDefinition<_geolookup_auth_v1_SetOperatorRoleRequest, _geolookup_auth_v1_SetOperatorRoleRequest__Output>
        SetOriginsRequest: MessageTypeDefinition<_geolookup_auth_v1_SetOriginsRequest, _geolookup_auth_v1_SetOriginsRequest__Output>
        SetPlanRequest: MessageTypeDefinition<_geolookup_auth_v1_SetPlanRequest, _geolookup_auth_v1_SetPlanRequest__Output>
        StopKeyRequest: MessageTypeDefinition<_geolookup_auth_v1_StopKeyRequest, _geolookup_auth_v1_StopKeyRequest__Output>
      }
    }
  }
}

