import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { Day as _geolookup_usage_v1_Day, Day__Output as _geolookup_usage_v1_Day__Output } from './geolookup/usage/v1/Day.ts';
import type { GetChangesRequest as _geolookup_usage_v1_GetChangesRequest, GetChangesRequest__Output as _geolookup_usage_v1_GetChangesRequest__Output } from './geolookup/usage/v1/GetChangesRequest.ts';
import type { GetChangesResponse as _geolookup_usage_v1_GetChangesResponse, GetChangesResponse__Output as _geolookup_usage_v1_GetChangesResponse__Output } from './geolookup/usage/v1/GetChangesResponse.ts';
import type { GetHoursRequest as _geolookup_usage_v1_GetHoursRequest, GetHoursRequest__Output as _geolookup_usage_v1_GetHoursRequest__Output } from './geolookup/usage/v1/GetHoursRequest.ts';
import type { GetHoursResponse as _geolookup_usage_v1_GetHoursResponse, GetHoursResponse__Output as _geolookup_usage_v1_GetHoursResponse__Output } from './geolookup/usage/v1/GetHoursResponse.ts';
import type { GetLastUsedRequest as _geolookup_usage_v1_GetLastUsedRequest, GetLastUsedRequest__Output as _geolookup_usage_v1_GetLastUsedRequest__Output } from './geolookup/usage/v1/GetLastUsedRequest.ts';
import type { GetLastUsedResponse as _geolookup_usage_v1_GetLastUsedResponse, GetLastUsedResponse__Output as _geolookup_usage_v1_GetLastUsedResponse__Output } from './geolookup/usage/v1/GetLastUsedResponse.ts';
import type { GetMonthRequest as _geolookup_usage_v1_GetMonthRequest, GetMonthRequest__Output as _geolookup_usage_v1_GetMonthRequest__Output } from './geolookup/usage/v1/GetMonthRequest.ts';
import type { GetMonthResponse as _geolookup_usage_v1_GetMonthResponse, GetMonthResponse__Output as _geolookup_usage_v1_GetMonthResponse__Output } from './geolookup/usage/v1/GetMonthResponse.ts';
import type { GetQuotaMonthRequest as _geolookup_usage_v1_GetQuotaMonthRequest, GetQuotaMonthRequest__Output as _geolookup_usage_v1_GetQuotaMonthRequest__Output } from './geolookup/usage/v1/GetQuotaMonthRequest.ts';
import type { GetQuotaMonthResponse as _geolookup_usage_v1_GetQuotaMonthResponse, GetQuotaMonthResponse__Output as _geolookup_usage_v1_GetQuotaMonthResponse__Output } from './geolookup/usage/v1/GetQuotaMonthResponse.ts';
import type { GetSummaryRequest as _geolookup_usage_v1_GetSummaryRequest, GetSummaryRequest__Output as _geolookup_usage_v1_GetSummaryRequest__Output } from './geolookup/usage/v1/GetSummaryRequest.ts';
import type { GetSummaryResponse as _geolookup_usage_v1_GetSummaryResponse, GetSummaryResponse__Output as _geolookup_usage_v1_GetSummaryResponse__Output } from './geolookup/usage/v1/GetSummaryResponse.ts';
import type { GetTotalsRequest as _geolookup_usage_v1_GetTotalsRequest, GetTotalsRequest__Output as _geolookup_usage_v1_GetTotalsRequest__Output } from './geolookup/usage/v1/GetTotalsRequest.ts';
import type { GetTotalsResponse as _geolookup_usage_v1_GetTotalsResponse, GetTotalsResponse__Output as _geolookup_usage_v1_GetTotalsResponse__Output } from './geolookup/usage/v1/GetTotalsResponse.ts';
import type { HourCount as _geolookup_usage_v1_HourCount, HourCount__Output as _geolookup_usage_v1_HourCount__Output } from './geolookup/usage/v1/HourCount.ts';
import type { KeyTotal as _geolookup_usage_v1_KeyTotal, KeyTotal__Output as _geolookup_usage_v1_KeyTotal__Output } from './geolookup/usage/v1/KeyTotal.ts';
import type { ListShardMonthRequest as _geolookup_usage_v1_ListShardMonthRequest, ListShardMonthRequest__Output as _geolookup_usage_v1_ListShardMonthRequest__Output } from './geolookup/usage/v1/ListShardMonthRequest.ts';
import type { ListShardMonthResponse as _geolookup_usage_v1_ListShardMonthResponse, ListShardMonthResponse__Output as _geolookup_usage_v1_ListShardMonthResponse__Output } from './geolookup/usage/v1/ListShardMonthResponse.ts';
import type { ListUsedKeysRequest as _geolookup_usage_v1_ListUsedKeysRequest, ListUsedKeysRequest__Output as _geolookup_usage_v1_ListUsedKeysRequest__Output } from './geolookup/usage/v1/ListUsedKeysRequest.ts';
import type { ListUsedKeysResponse as _geolookup_usage_v1_ListUsedKeysResponse, ListUsedKeysResponse__Output as _geolookup_usage_v1_ListUsedKeysResponse__Output } from './geolookup/usage/v1/ListUsedKeysResponse.ts';
import type { MonthChanges as _geolookup_usage_v1_MonthChanges, MonthChanges__Output as _geolookup_usage_v1_MonthChanges__Output } from './geolookup/usage/v1/MonthChanges.ts';
import type { NodeVersion as _geolookup_usage_v1_NodeVersion, NodeVersion__Output as _geolookup_usage_v1_NodeVersion__Output } from './geolookup/usage/v1/NodeVersion.ts';
import type { Refusals as _geolookup_usage_v1_Refusals, Refusals__Output as _geolookup_usage_v1_Refusals__Output } from './geolookup/usage/v1/Refusals.ts';
import type { TotalsClient as _geolookup_usage_v1_TotalsClient, TotalsDefinition as _geolookup_usage_v1_TotalsDefinition } from './geolookup/usage/v1/Totals.ts';
import type { UsageClient as _geolookup_usage_v1_UsageClient, UsageDefinition as _geolookup_usage_v1_UsageDefinition } from './geolookup/usage/v1/Usage.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  geolookup: {
    usage: {
      v1: {
        Day: MessageTypeDefinition<_geolookup_usage_v1_Day, _geolookup_usage_v1_Day__Output>
        GetChangesRequest: MessageTypeDefinition<_geolookup_usage_v1_GetChangesRequest, _geolookup_usage_v1_GetChangesRequest__Output>
        GetChangesResponse: MessageTypeDefinition<_geolookup_usage_v1_GetChangesResponse, _geolookup_usage_v1_GetChangesResponse__Output>
        GetHoursRequest: MessageTypeDefinition<_geolookup_usage_v1_GetHoursRequest, _geolookup_usage_v1_GetHoursRequest__Output>
        GetHoursResponse: MessageTypeDefinition<_geolookup_usage_v1_GetHoursResponse, _geolookup_usage_v1_GetHoursResponse__Output>
        GetLastUsedRequest: MessageTypeDefinition<_geolookup_usage_v1_GetLastUsedRequest, _geolookup_usage_v1_GetLastUsedRequest__Output>
        GetLastUsedResponse: MessageTypeDefinition<_geolookup_usage_v1_GetLastUsedResponse, _geolookup_usage_v1_GetLastUsedResponse__Output>
        GetMonthRequest: MessageTypeDefinition<_geolookup_usage_v1_GetMonthRequest, _geolookup_usage_v1_GetMonthRequest__Output>
        GetMonthResponse: MessageTypeDefinition<_geolookup_usage_v1_GetMonthResponse, _geolookup_usage_v1_GetMonthResponse__Output>
        GetQuotaMonthRequest: MessageTypeDefinition<_geolookup_usage_v1_GetQuotaMonthRequest, _geolookup_usage_v1_GetQuotaMonthRequest__Output>
        GetQuotaMonthResponse: MessageTypeDefinition<_geolookup_usage_v1_GetQuotaMonthResponse, _geolookup_usage_v1_GetQuotaMonthResponse__Output>
        GetSummaryRequest: MessageTypeDefinition<_geolookup_usage_v1_GetSummaryRequest, _geolookup_usage_v1_GetSummaryRequest__Output>
        GetSummaryResponse: MessageTypeDefinition<_geolookup_usage_v1_GetSummaryResponse, _geolookup_usage_v1_GetSummaryResponse__Output>
        GetTotalsRequest: MessageTypeDefinition<_geolookup_usage_v1_GetTotalsRequest, _geolookup_usage_v1_GetTotalsRequest__Output>
        GetTotalsResponse: MessageTypeDefinition<_geolookup_usage_v1_GetTotalsResponse, _geolookup_usage_v1_GetTotalsResponse__Output>
        HourCount: MessageTypeDefinition<_geolookup_usage_v1_HourCount, _geolookup_usage_v1_HourCount__Output>
        KeyTotal: MessageTypeDefinition<_geolookup_usage_v1_KeyTotal, _geolookup_usage_v1_KeyTotal__Output>
        ListShardMonthRequest: MessageTypeDefinition<_geolookup_usage_v1_ListShardMonthRequest, _geolookup_usage_v1_ListShardMonthRequest__Output>
        ListShardMonthResponse: MessageTypeDefinition<_geolookup_usage_v1_ListShardMonthResponse, _geolookup_usage_v1_ListShardMonthResponse__Output>
        ListUsedKeysRequest: MessageTypeDefinition<_geolookup_usage_v1_ListUsedKeysRequest, _geolookup_usage_v1_ListUsedKeysRequest__Output>
        ListUsedKeysResponse: MessageTypeDefinition<_geolookup_usage_v1_ListUsedKeysResponse, _geolookup_usage_v1_ListUsedKeysResponse__Output>
        MonthChanges: MessageTypeDefinition<_geolookup_usage_v1_MonthChanges, _geolookup_usage_v1_MonthChanges__Output>
        NodeVersion: MessageTypeDefinition<_geolookup_usage_v1_NodeVersion, _geolookup_usage_v1_NodeVersion__Output>
        Refusals: MessageTypeDefinition<_geolookup_usage_v1_Refusals, _geolookup_usage_v1_Refusals__Output>
        /**
         * Totals of quotas, for gateways, and of keys, for auth. Requests of a gateway exclude the counts of the gateway that sends them.
         */
        Totals: SubtypeConstructor<typeof grpc.Client, _geolookup_usage_v1_TotalsClient> & { service: _geolookup_usage_v1_TotalsDefinition }
        /**
         * Usage of keys, for operators. Needs the metadata `authorization: Bearer <ADMIN_TOKEN>`.
         */
        Usage: SubtypeConstructor<typeof grpc.Client, _geolookup_usage_v1_UsageClient> & { service: _geolookup_usage_v1_UsageDefinition }
      }
    }
  }
}

