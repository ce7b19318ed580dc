import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

import type { DataRefresh as _geolookup_geo_v1_DataRefresh, DataRefresh__Output as _geolookup_geo_v1_DataRefresh__Output } from './geolookup/geo/v1/DataRefresh.ts';
import type { DataVersion as _geolookup_geo_v1_DataVersion, DataVersion__Output as _geolookup_geo_v1_DataVersion__Output } from './geolookup/geo/v1/DataVersion.ts';
import type { Database as _geolookup_geo_v1_Database, Database__Output as _geolookup_geo_v1_Database__Output } from './geolookup/geo/v1/Database.ts';
import type { ExplainRequest as _geolookup_geo_v1_ExplainRequest, ExplainRequest__Output as _geolookup_geo_v1_ExplainRequest__Output } from './geolookup/geo/v1/ExplainRequest.ts';
import type { ExplainResponse as _geolookup_geo_v1_ExplainResponse, ExplainResponse__Output as _geolookup_geo_v1_ExplainResponse__Output } from './geolookup/geo/v1/ExplainResponse.ts';
import type { GeoClient as _geolookup_geo_v1_GeoClient, GeoDefinition as _geolookup_geo_v1_GeoDefinition } from './geolookup/geo/v1/Geo.ts';
import type { GetDataReportRequest as _geolookup_geo_v1_GetDataReportRequest, GetDataReportRequest__Output as _geolookup_geo_v1_GetDataReportRequest__Output } from './geolookup/geo/v1/GetDataReportRequest.ts';
import type { GetDataReportResponse as _geolookup_geo_v1_GetDataReportResponse, GetDataReportResponse__Output as _geolookup_geo_v1_GetDataReportResponse__Output } from './geolookup/geo/v1/GetDataReportResponse.ts';
import type { GetDataStatusRequest as _geolookup_geo_v1_GetDataStatusRequest, GetDataStatusRequest__Output as _geolookup_geo_v1_GetDataStatusRequest__Output } from './geolookup/geo/v1/GetDataStatusRequest.ts';
import type { GetDataStatusResponse as _geolookup_geo_v1_GetDataStatusResponse, GetDataStatusResponse__Output as _geolookup_geo_v1_GetDataStatusResponse__Output } from './geolookup/geo/v1/GetDataStatusResponse.ts';
import type { ListDatabasesRequest as _geolookup_geo_v1_ListDatabasesRequest, ListDatabasesRequest__Output as _geolookup_geo_v1_ListDatabasesRequest__Output } from './geolookup/geo/v1/ListDatabasesRequest.ts';
import type { ListDatabasesResponse as _geolookup_geo_v1_ListDatabasesResponse, ListDatabasesResponse__Output as _geolookup_geo_v1_ListDatabasesResponse__Output } from './geolookup/geo/v1/ListDatabasesResponse.ts';
import type { LocateRequest as _geolookup_geo_v1_LocateRequest, LocateRequest__Output as _geolookup_geo_v1_LocateRequest__Output } from './geolookup/geo/v1/LocateRequest.ts';
import type { LocateResponse as _geolookup_geo_v1_LocateResponse, LocateResponse__Output as _geolookup_geo_v1_LocateResponse__Output } from './geolookup/geo/v1/LocateResponse.ts';
import type { Located as _geolookup_geo_v1_Located, Located__Output as _geolookup_geo_v1_Located__Output } from './geolookup/geo/v1/Located.ts';
import type { Records as _geolookup_geo_v1_Records, Records__Output as _geolookup_geo_v1_Records__Output } from './geolookup/geo/v1/Records.ts';
import type { Source as _geolookup_geo_v1_Source, Source__Output as _geolookup_geo_v1_Source__Output } from './geolookup/geo/v1/Source.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  geolookup: {
    geo: {
      v1: {
        DataRefresh: MessageTypeDefinition<_geolookup_geo_v1_DataRefresh, _geolookup_geo_v1_DataRefresh__Output>
        DataVersion: MessageTypeDefinition<_geolookup_geo_v1_DataVersion, _geolookup_geo_v1_DataVersion__Output>
        Database: MessageTypeDefinition<_geolookup_geo_v1_Database, _geolookup_geo_v1_Database__Output>
        ExplainRequest: MessageTypeDefinition<_geolookup_geo_v1_ExplainRequest, _geolookup_geo_v1_ExplainRequest__Output>
        ExplainResponse: MessageTypeDefinition<_geolookup_geo_v1_ExplainResponse, _geolookup_geo_v1_ExplainResponse__Output>
        /**
         * Locates IP addresses. One request carries many lookups. Version 0.1 also had `LocateStream`. Its gateways call Locate where that
         * is unimplemented, so no other method may have the name.
         */
        Geo: SubtypeConstructor<typeof grpc.Client, _geolookup_geo_v1_GeoClient> & { service: _geolookup_geo_v1_GeoDefinition }
        GetDataReportRequest: MessageTypeDefinition<_geolookup_geo_v1_GetDataReportRequest, _geolookup_geo_v1_GetDataReportRequest__Output>
        GetDataReportResponse: MessageTypeDefinition<_geolookup_geo_v1_GetDataReportResponse, _geolookup_geo_v1_GetDataReportResponse__Output>
        GetDataStatusRequest: MessageTypeDefinition<_geolookup_geo_v1_GetDataStatusRequest, _geolookup_geo_v1_GetDataStatusRequest__Output>
        GetDataStatusResponse: MessageTypeDefinition<_geolookup_geo_v1_GetDataStatusResponse, _geolookup_geo_v1_GetDataStatusResponse__Output>
        ListDatabasesRequest: MessageTypeDefinition<_geolookup_geo_v1_ListDatabasesRequest, _geolookup_geo_v1_ListDatabasesRequest__Output>
        ListDatabasesResponse: MessageTypeDefinition<_geolookup_geo_v1_ListDatabasesResponse, _geolookup_geo_v1_ListDatabasesResponse__Output>
        LocateRequest: MessageTypeDefinition<_geolookup_geo_v1_LocateRequest, _geolookup_geo_v1_LocateRequest__Output>
        LocateResponse: MessageTypeDefinition<_geolookup_geo_v1_LocateResponse, _geolookup_geo_v1_LocateResponse__Output>
        Located: MessageTypeDefinition<_geolookup_geo_v1_Located, _geolookup_geo_v1_Located__Output>
        Reason: EnumTypeDefinition
        Records: MessageTypeDefinition<_geolookup_geo_v1_Records, _geolookup_geo_v1_Records__Output>
        Source: MessageTypeDefinition<_geolookup_geo_v1_Source, _geolookup_geo_v1_Source__Output>
      }
    }
  }
}

