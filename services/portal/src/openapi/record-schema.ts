import { FIELD_CATALOG, type FieldEntry, PARTIAL_NOTE } from "@geolookup/shared/domain/catalog.ts";
import { FIELDS, type FieldName } from "@geolookup/shared/domain/record.ts";

/** The schema of a record (contract, section 2.1): any field can be null or absent, and there are no others. */
export function recordSchema() {
  return {
    type: "object",
    description:
      "The location and network of the caller. Any field can be `null`, which means that its value couldn't be determined. A " +
      "missing field isn't on the plan, or isn't in the requested `fields`.",
    properties: {
      ...Object.fromEntries(FIELDS.map((name) => [name, fieldSchema(name)])),
      partial: { type: "boolean", const: true, description: PARTIAL_NOTE },
    },
    additionalProperties: false,
  };
}

function fieldSchema(name: FieldName) {
  const { type, plan, note, schema = {} }: FieldEntry = FIELD_CATALOG[name];
  const { enum: values, ...rest } = schema;
  return {
    // An enumeration also applies to null.
    ...(values === undefined ? {} : { enum: [...values, null] }),
    ...rest,
    type: [schema.type ?? (type === "array of strings" ? "array" : type), "null"],
    description: `${note} ${plan === "free" ? "On every plan." : "Paid plans only."}`,
  };
}
