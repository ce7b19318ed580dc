import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import type { ProtoGrpcType as AuthProto } from "../../generated/auth.ts";
import type { ProtoGrpcType as GeoProto } from "../../generated/geo.ts";
import type { ProtoGrpcType as UsageProto } from "../../generated/usage.ts";

const PROTO_FOLDER = fileURLToPath(new URL("../../../../../proto/", import.meta.url));

const auth = loadProto<AuthProto>("auth/v1/auth.proto").geolookup.auth.v1;
const geo = loadProto<GeoProto>("geo/v1/geo.proto").geolookup.geo.v1;
const usage = loadProto<UsageProto>("usage/v1/usage.proto").geolookup.usage.v1;

/** The services of `proto/`, each with its methods by name: `AUTH.Authorize`. */
export const AUTH = auth.Auth.service;
export const KEY_ADMIN = auth.KeyAdmin.service;
export const OPERATORS = auth.Operators.service;
export const AUDIT = auth.Audit.service;
export const IDEMPOTENCY = auth.Idempotency.service;
export const GEO = geo.Geo.service;
export const USAGE = usage.Usage.service;
export const TOTALS = usage.Totals.service;

/**
 * Decoded messages are plain objects in lower camel case: unset fields are absent, repeated ones are arrays, enums are
 * their names, 64-bit integers are numbers. `make proto` generates matching types.
 */
export function loadProto<Package>(file: string): Package {
  const options = { includeDirs: [PROTO_FOLDER], longs: Number, enums: String, arrays: true, defaults: false };
  return grpc.loadPackageDefinition(loadSync(file, options)) as Package;
}
