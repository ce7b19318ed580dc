import type { Arbitrary } from "fast-check";

/** A reader of untrusted bytes, and the properties that must hold for any input. */
export interface FuzzSubject {
  /** Generates inputs. They are bytes, so that they can be saved in files. */
  inputs: Arbitrary<Uint8Array>;
  /** @throws Error if the input fails. */
  check(input: Uint8Array): void | Promise<void>;
  /** Checks the properties that must hold after all inputs, and closes everything the subject opened. @throws Error */
  finish?(): Promise<void>;
}

/** @param corpus saved inputs to mutate. */
export type OpenSubject = (corpus: readonly Uint8Array[]) => FuzzSubject | Promise<FuzzSubject>;
