import { readFileSync } from "node:fs";
import type { ErrorCode } from "@geolookup/shared/domain/errors.ts";
import { FIELDS, type FieldName as ServiceFieldName } from "@geolookup/shared/domain/record.ts";
import { expect } from "chai";
import type * as browser from "../../packages/browser/geolookup.js";
import type { GeolookupErrorCode } from "../../packages/server/src/geolookup-error.ts";
import { type FieldName, type GeoRecord, unknownRecord } from "../../packages/server/src/record.ts";

/** The compiler checks that the argument's type can be assigned to `Type`. */
const accept = <Type>(_value: Type) => {};

// The packages have no dependencies, so they repeat these types of the service.
accept<GeoRecord>({} as browser.GeoRecord);
accept<browser.GeoRecord>({} as GeoRecord);
accept<ServiceFieldName>("" as FieldName);
accept<FieldName>("" as ServiceFieldName);
accept<GeolookupErrorCode>("" as ErrorCode);
accept<browser.GeolookupErrorCode>("" as ErrorCode);

describe("the record of @geolookup/server", () => {
  it("has the fields of the service, in their order", () =>
    expect(Object.keys(unknownRecord(undefined))).to.deep.equal([...FIELDS, "partial"]));
});

it("the Go client's Record has the fields of the service, in their order", () => {
  const [struct = ""] =
    /^type Record struct {.*?^}/ms.exec(readFileSync("packages/clients/geolookup.go", "utf8")) ?? [];
  expect(Array.from(struct.matchAll(/`json:"(\w+)"`/g), ([, name]) => name)).to.deep.equal(FIELDS);
});
