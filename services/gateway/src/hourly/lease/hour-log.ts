import { NAME_LENGTH } from "../caller.ts";
import { type HourWindow, NO_PEERS } from "../window.ts";

const COUNT_BYTES = 4;
/** Milliseconds since 1970 until the year 10889. */
const END_BYTES = 6;
/** A caller's name, the requests that the gateway admitted and the end of the hour (ms), both as little-endian numbers. */
export const HOUR_BYTES = NAME_LENGTH + COUNT_BYTES + END_BYTES;
const INITIAL_HOURS = 256;

/** Hours to be logged, as bytes: as text, they would cost several times as much as the decision. */
export class HourLog {
  private bytes = Buffer.alloc(INITIAL_HOURS * HOUR_BYTES);
  private length = 0;

  get isEmpty(): boolean {
    return this.length === 0;
  }

  add(caller: string, { own, endMs }: HourWindow): void {
    if (this.length === this.bytes.length) this.bytes = Buffer.concat([this.bytes, Buffer.alloc(this.length)]);
    const { bytes, length } = this;
    bytes.write(caller, length, "latin1");
    bytes.writeUInt32LE(own, length + NAME_LENGTH);
    bytes.writeUIntLE(endMs, length + NAME_LENGTH + COUNT_BYTES, END_BYTES);
    this.length += HOUR_BYTES;
  }

  /** Empties the log. @returns a copy of its bytes. */
  take(): Buffer {
    const taken = Buffer.from(this.bytes.subarray(0, this.length));
    this.length = 0;
    return taken;
  }
}

/**
 * Parses logged hours.
 * @param gateway whose requests they count.
 * @returns as much as is valid.
 */
export function parseHours(gateway: string, bytes: Buffer): [caller: string, HourWindow][] {
  const hours: [string, HourWindow][] = [];
  for (let at = 0; at + HOUR_BYTES <= bytes.length; at += HOUR_BYTES) {
    const caller = bytes.toString("latin1", at, at + NAME_LENGTH);
    const count = bytes.readUInt32LE(at + NAME_LENGTH);
    const endMs = bytes.readUIntLE(at + NAME_LENGTH + COUNT_BYTES, END_BYTES);
    if (!/^[\w-]+$/.test(caller)) break;
    hours.push([caller, { endMs, own: 0, peers: count > 0 ? new Map([[gateway, count]]) : NO_PEERS }]);
  }
  return hours;
}
