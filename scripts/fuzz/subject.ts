import type { Arbitrary } from "fast-check";

/** Something that reads bytes from outside, and what must hold whatever they are. */
export interface FuzzSubject {
  /** What inputs are drawn from. Each is bytes, so that it can be kept in a file. */
  inputs: Arbitrary<Uint8Array>;
  /** @throws Error when something doesn't hold for this input. */
  check(input: Uint8Array): void | Promise<void>;
  /** What must hold once all inputs were tried; closes what the subject has opened. @throws Error */
  finish?(): Promise<void>;
}

/** @param corpus inputs that were kept, to draw variations from. */
export type OpenSubject = (corpus: readonly Uint8Array[]) => FuzzSubject | Promise<FuzzSubject>;
