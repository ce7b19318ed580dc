import { HourSlots, SLOT_BYTES, slotsOfLength } from "../hour-slots.ts";
import { type HourWindow, NO_PEERS } from "../window.ts";

const INITIAL_HOURS = 256;

/** Hours to be logged, as bytes: as text, they would cost several times as much as the decision. */
export class HourLog {
  private slots = slotsOfLength(INITIAL_HOURS);
  private count = 0;

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** Adds a caller's hour with the requests that this gateway admitted. */
  add(caller: string, { own, endMs }: HourWindow): void {
    this.reserve(1);
    this.slots.setName(this.count, caller);
    this.slots.setHour(this.count, own, endMs);
    this.count += 1;
  }

  /** Adds the first `count` hours of `slots`. */
  addAll(slots: HourSlots, count: number): void {
    this.reserve(count);
    this.slots.copy(this.count, slots, 0, count);
    this.count += count;
  }

  /** Empties the log. @returns a copy of its bytes. */
  take(): Buffer {
    const taken = this.slots.bytes(this.count);
    this.count = 0;
    return taken;
  }

  private reserve(count: number): void {
    if (this.count + count <= this.slots.length) return;
    const larger = slotsOfLength(2 * (this.count + count));
    larger.copy(0, this.slots, 0, this.count);
    this.slots = larger;
  }
}

/**
 * Parses logged hours.
 * @param gateway whose requests they count.
 * @returns as much as is valid.
 */
export function parseHours(gateway: string, bytes: Buffer): [caller: string, HourWindow][] {
  const count = Math.floor(bytes.length / SLOT_BYTES);
  const slots = new HourSlots(new Uint8Array(bytes.subarray(0, count * SLOT_BYTES)).buffer);
  const hours: [string, HourWindow][] = [];
  for (let slot = 0; slot < count && slots.isValid(slot); slot += 1) {
    const own = slots.own(slot);
    const peers = own > 0 ? new Map([[gateway, own]]) : NO_PEERS;
    hours.push([slots.name(slot), { endMs: slots.endMs(slot), own: 0, peers }]);
  }
  return hours;
}
