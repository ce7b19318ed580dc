import { FIELD_CATALOG, type FieldSet } from "./catalog.ts";

type FieldCatalog = typeof FIELD_CATALOG;

export type FieldName = keyof FieldCatalog;

interface Values {
  string: string;
  boolean: boolean;
  number: number;
  "array of strings": readonly string[];
}

/** The values that a field can have. */
type ValueOf<Name extends FieldName> = Values[FieldCatalog[Name]["type"]] | null;

/** Geo's result for an address: the contract's record (2.1) without `ip` and `partial`. */
export type Place = { [Name in PlaceField]: ValueOf<Name> };
export type PlaceField = Exclude<FieldName, "ip">;

/** The contract's record (2.1), every field present. */
export type GeoRecord = { ip: string } & Place;

/** The fields that are read from one kind of source. */
export type FieldOf<Source extends FieldCatalog[FieldName]["source"]> = {
  [Name in FieldName]: FieldCatalog[Name]["source"] extends Source ? Name : never;
}[FieldName];

/** Every field in the order of the contract's table (2.1). */
export const FIELDS = Object.keys(FIELD_CATALOG) as readonly FieldName[];
export const PLACE_FIELDS = FIELDS.filter((name) => name !== "ip");

/** The fields each set grants, in the contract's order (2.1). */
export const FIELDS_OF: Readonly<Record<FieldSet, readonly FieldName[]>> = {
  free: FIELDS.filter((name) => FIELD_CATALOG[name].plan === "free"),
  paid: FIELDS,
};

/** The fields that a plan grants: a field set, or those in a list, in the contract's order. */
export type PlanFields = FieldSet | readonly FieldName[];

export function grantedFields(fields: PlanFields): readonly FieldName[] {
  return typeof fields === "string" ? FIELDS_OF[fields] : fields;
}

/** The fields that are read from one kind of source, in the contract's order. */
export function fieldsOf<Source extends FieldCatalog[FieldName]["source"]>(source: Source): readonly FieldOf<Source>[] {
  return FIELDS.filter((name) => FIELD_CATALOG[name].source === source) as FieldOf<Source>[];
}

export const NETWORK_FIELDS = fieldsOf("network");

/** Some fields of a place, in the order of their names. */
export function pickFields<Field extends PlaceField>(
  place: Readonly<Pick<Place, Field>>,
  names: readonly Field[],
): Pick<Place, Field> {
  const picked: Partial<Pick<Place, Field>> = {};
  for (const name of names) picked[name] = place[name];
  return picked as Pick<Place, Field>;
}

/** An unknown place. Frozen, so it can be shared. */
export const UNKNOWN_PLACE = Object.freeze(
  Object.fromEntries(PLACE_FIELDS.map((name) => [name, null])),
) as Readonly<Place>;
