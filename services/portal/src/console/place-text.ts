import type { Located__Output as Located } from "@geolookup/shared/generated/geolookup/geo/v1/Located.ts";
import { fieldText, recordOf } from "./address-fields.ts";

const NOTHING: Readonly<Record<string, string>> = {
  NON_PUBLIC: "Nothing: it isn't a public address",
  NOT_FOUND: "Nothing",
  FAILED: "Nothing: the lookup failed because the database is damaged",
};

/**
 * A place on one line, as the console and `./geolookup doctor` show it: from the postal code to the network.
 * @param located null over gRPC if the source has nothing.
 */
export function placeText(located: Located | null | undefined): string {
  const nothing = NOTHING[located?.reason ?? "NOT_FOUND"];
  if (nothing !== undefined) return nothing;
  const { latitude = null, longitude, asn = null, asOrganization = null } = recordOf(located);
  const position = latitude === null ? null : `${latitude},${longitude}`;
  const network = asn === null ? null : `AS${asn}${asOrganization === null ? "" : ` ${asOrganization}`}`;
  const places = (["postalCode", "city", "region", "country"] as const).map((name) => fieldText(located, name));
  const known = [...places, position, fieldText(located, "timezone"), network].filter((each) => each !== null);
  return known.length === 0 ? "No location" : known.join(", ");
}
