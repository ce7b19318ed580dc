import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readKeySnapshot } from "../../restore/snapshot/key-messages.ts";
import { mutated } from "../mutations.ts";
import type { FuzzSubject } from "../subject.ts";

/** A snapshot of the stream KEYS, as in archives of version 0.1, yields messages or an error, quickly and in bounded memory. */
export function openSnapshot(corpus: readonly Uint8Array[]): FuzzSubject {
  const folder = mkdtempSync(join(tmpdir(), "geolookup-fuzz-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "keys.snapshot");
  return {
    inputs: mutated(corpus, ["ustar", "meta.inf", "msgs/1.blk", "\xff\x06\x00\x00S2sTwO"]),
    async check(input) {
      writeFileSync(path, input);
      try {
        for await (const { subject } of readKeySnapshot(path)) if (subject === "") throw new TypeError("no subject");
      } catch (error) {
        // Plain errors are messages for the operator. A reader that overruns its bytes throws another kind.
        if ((error as Error).constructor !== Error) throw error;
      }
    },
  };
}
