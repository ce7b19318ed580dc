import type { FieldName } from "@geolookup/shared/domain/record.ts";
import { PLACE_FIELDS } from "@geolookup/shared/domain/record-text.ts";
import { type EdgePreset, HEADER_OF } from "./header-presets.ts";
import { headerValue } from "./header-value.ts";

const BUFFER_BYTES = 64 * 1024;
/** A UTF-16 code unit is at most three bytes of UTF-8, and each of them three characters if percent-encoded. */
const MAX_GROWTH = 9;

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
/** The first character of null, and of no other value. */
const N = 0x6e;

const LAST_FIELD = PLACE_FIELDS.at(-1);

/** What both presets send as it is: printable ASCII but the characters that `encodeURI` encodes. */
const IS_PLAIN = new Uint8Array(0x100);
for (const character of "!#$&'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~")
  IS_PLAIN[character.charCodeAt(0)] = 1;

/**
 * Makes the headers of records from their text. It reads each byte once and writes it to one buffer, since parsing the text,
 * testing each value and joining fifty strings took half of what the edge port adds to Node's own work. A name that isn't plain,
 * such as one with a letter beyond ASCII, is left to `headerValue`, and a text of another form to `JSON.parse`. A member is
 * recognized by the length and the first two letters of its name, which are different for each field.
 * @param fields those that get a header; `ip` isn't a member.
 * @returns takes the members of a record (record-text.ts), and returns the lines of its headers, in Latin-1.
 */
export function createHeaderWriter(preset: EdgePreset, fields: readonly FieldName[]): (members: string) => string {
  const columns = PLACE_FIELDS.map((field) => ({
    field,
    member: Buffer.from(`"${field}":`),
    /** Null: no header. */
    start: fields.includes(field) ? Buffer.from(`${HEADER_OF[preset][field]}: `) : null,
    unknown: Buffer.from(headerValue(preset, field, null)),
  }));
  const startBytes = columns.reduce((total, { start }) => total + (start?.length ?? 0) + 2, 0);
  const space = Buffer.from(preset === "geo" ? "%20" : " ");
  const text = Buffer.allocUnsafe(BUFFER_BYTES);
  const lines = Buffer.allocUnsafe(BUFFER_BYTES);

  const parsed = (members: string) => {
    const place = JSON.parse(`{${members}}`);
    return columns
      .filter(({ start }) => start !== null)
      .map(({ start, field }) => `${start}${headerValue(preset, field, place[field])}\r\n`)
      .join("");
  };

  return (members) => {
    if (startBytes + members.length * MAX_GROWTH > BUFFER_BYTES) return parsed(members);
    const length = text.write(members, "utf8");
    // Ends every loop.
    text[length] = 0;
    let at = 0;
    let written = 0;
    for (const { field, member, start, unknown } of columns) {
      if (text[at + 1] !== member[1] || text[at + 2] !== member[2]) return parsed(members);
      at += member.length;
      if (text[at - 2] !== QUOTE || text[at - 1] !== COLON) return parsed(members);
      const lineAt = written;
      if (start !== null) for (let i = 0; i < start.length; i++) lines[written++] = start[i] as number;
      const valueAt = at;
      const writtenAt = written;
      let byte = text[at] as number;
      if (byte === N) {
        for (let i = 0; i < unknown.length; i++) lines[written++] = unknown[i] as number;
        at += "null".length;
      } else if (byte === QUOTE) {
        byte = text[++at] as number;
        let isPlain = byte !== SPACE && byte !== QUOTE;
        for (; byte !== QUOTE; byte = text[++at] as number) {
          if (IS_PLAIN[byte] === 1) lines[written++] = byte;
          else if (byte === SPACE) for (let i = 0; i < space.length; i++) lines[written++] = space[i] as number;
          else {
            if (at >= length) return parsed(members);
            isPlain = false;
            if (byte === BACKSLASH) at++;
          }
        }
        if (!isPlain || text[at - 1] === SPACE) {
          const value = headerValue(preset, field, JSON.parse(text.toString("utf8", valueAt, at + 1)));
          written = writtenAt + lines.write(value, writtenAt, "latin1");
        }
        at++;
      } else {
        const isList = byte === OPENING_BRACKET;
        if (isList) byte = text[++at] as number;
        for (; IS_PLAIN[byte] === 1 || byte === QUOTE; byte = text[++at] as number) {
          if (byte === COMMA && !isList) break;
          if (byte !== QUOTE) lines[written++] = byte;
        }
        if (written === writtenAt || (isList && text[at++] !== CLOSING_BRACKET)) return parsed(members);
      }
      if (text[at++] !== (field === LAST_FIELD ? 0 : COMMA)) return parsed(members);
      if (start === null) written = lineAt;
      else {
        lines[written++] = 0x0d;
        lines[written++] = 0x0a;
      }
    }
    return lines.toString("latin1", 0, written);
  };
}
