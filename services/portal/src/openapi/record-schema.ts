import { FIELDS, FIELDS_OF, type FieldName } from "@geolookup/shared/domain/record.ts";
import { FIELD_NOTES, PARTIAL_NOTE } from "../docs/field-notes.ts";

const DEGREES = "^-?\\d{1,3}(\\.\\d{1,4})?$";

/** The schema of each field's value when it isn't null. */
const VALUE_SCHEMAS: Readonly<Record<FieldName, { type: string } & Record<string, unknown>>> = {
  // Alternatives of formats would make generators lose the type.
  ip: { type: "string", pattern: "^[0-9a-f.:]{2,39}$" },
  country: { type: "string", pattern: "^[A-Z]{2}$" },
  countryName: { type: "string" },
  continent: { type: "string", enum: ["AF", "AN", "AS", "EU", "NA", "OC", "SA"] },
  isEUCountry: { type: "boolean" },
  region: { type: "string" },
  regionCode: { type: "string" },
  city: { type: "string" },
  timezone: { type: "string" },
  postalCode: { type: "string" },
  latitude: { type: "string", pattern: DEGREES },
  longitude: { type: "string", pattern: DEGREES },
  asn: { type: "integer", minimum: 0, maximum: 4_294_967_295 },
  asOrganization: { type: "string" },
  currency: { type: "string", pattern: "^[A-Z]{3}$" },
  languages: { type: "array", items: { type: "string", pattern: "^[a-z]{2,3}$" } },
  metroCode: { type: "string" },
};

/** The schema of a record (contract, section 2.1): any field can be null or absent, and there are no others. */
export function recordSchema() {
  return {
    type: "object",
    description:
      "The location and network of the caller. `null` means the value couldn't be determined. An absent field is not on the " +
      "plan, or not in the requested `fields`.",
    properties: {
      ...Object.fromEntries(FIELDS.map((name) => [name, fieldSchema(name)])),
      partial: { type: "boolean", const: true, description: PARTIAL_NOTE },
    },
    additionalProperties: false,
  };
}

function fieldSchema(name: FieldName) {
  const { type, enum: values, ...rest } = VALUE_SCHEMAS[name];
  const plans = FIELDS_OF.free.includes(name) ? "On every plan." : "Paid plans only.";
  return {
    type: [type, "null"],
    // An enumeration also applies to null.
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
    ...rest,
    description: `${FIELD_NOTES[name].note} ${plans}`,
  };
}
