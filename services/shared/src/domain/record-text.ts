import { isPartial } from "./partial.ts";
import {
  FIELDS_OF,
  type FieldOf,
  NETWORK_FIELDS,
  PLACE_FIELDS,
  type Place,
  pickFields,
  UNKNOWN_PLACE,
} from "./record.ts";

/**
 * A place as it appears in responses: the members of a JSON object, without braces, `ip` and `partial`. It is built once per
 * database record and sent many times, so requests don't serialize sixteen fields.
 */
export interface RecordText {
  /** The members that the field set `paid` grants, in the contract's order (2.1). */
  members: string;
  /** The members that `free` grants; `members` starts with them. A text of its own, since a slice of `members` would first join its parts. */
  free: string;
  /** The lengths of both in UTF-8. */
  memberBytes: number;
  freeBytes: number;
  /** Whether the place lacks a field that the field set grants. */
  partialFree: boolean;
  partialPaid: boolean;
  /** The accuracy of the location and the age of its data: the value of `X-Geolookup-Accuracy`. Empty if nothing is known. */
  accuracy: string;
}

/** The text of a place with a gap where its network belongs. */
export interface PlaceText extends Omit<RecordText, "members" | "memberBytes"> {
  before: string;
  after: string;
  /** The length of both in UTF-8. */
  bytes: number;
}

/** The text of a network, and its length in UTF-8. */
export interface NetworkText {
  text: string;
  bytes: number;
}

const NETWORK_AT = PLACE_FIELDS.indexOf("asn");
/** The contract's first fields after `ip`, so their members are a prefix of all members. */
const FREE_FIELDS = PLACE_FIELDS.slice(0, FIELDS_OF.free.length);
const PAID_BEFORE_NETWORK = PLACE_FIELDS.slice(FREE_FIELDS.length, NETWORK_AT);
const AFTER_NETWORK = PLACE_FIELDS.slice(NETWORK_AT + NETWORK_FIELDS.length);

/** The text of a place without its network. @param accuracy as in `RecordText`. */
export function placeText(place: Readonly<Place>, accuracy = ""): PlaceText {
  const free = membersOf(place, FREE_FIELDS);
  const before = `${free},${membersOf(place, PAID_BEFORE_NETWORK)},`;
  const after = `,${membersOf(place, AFTER_NETWORK)}`;
  return {
    before,
    after,
    bytes: Buffer.byteLength(before) + Buffer.byteLength(after),
    free,
    freeBytes: Buffer.byteLength(free),
    partialFree: isPartial(place, "free"),
    partialPaid: isPartial(place, "paid"),
    accuracy,
  };
}

/** A network, for the gap in a place. */
export function networkText(network: Pick<Place, FieldOf<"network">>): NetworkText {
  const text = membersOf(network, NETWORK_FIELDS);
  return { text, bytes: Buffer.byteLength(text) };
}

export function joinText(place: PlaceText, network: NetworkText): RecordText {
  const { before, after, bytes, free, freeBytes, partialFree, partialPaid, accuracy } = place;
  return {
    members: before + network.text + after,
    memberBytes: bytes + network.bytes,
    free,
    freeBytes,
    partialFree,
    partialPaid,
    accuracy,
  };
}

/** The whole text of a place. @param accuracy as in `RecordText`. */
export function recordText(place: Readonly<Place>, accuracy = ""): RecordText {
  return joinText(placeText(place, accuracy), networkText(place));
}

/** An unknown place. Frozen, so it can be shared. */
export const UNKNOWN_TEXT: Readonly<RecordText> = Object.freeze(recordText(UNKNOWN_PLACE));

function membersOf<Field extends keyof Place>(place: Readonly<Pick<Place, Field>>, names: readonly Field[]): string {
  return JSON.stringify(pickFields(place, names)).slice(1, -1);
}
