import { createHmac, timingSafeEqual } from "node:crypto";
import type { SigningKey } from "../../signing/signature.ts";

/** Of a MAC in base64url. */
const MAC_LENGTH = 43;
/** Changes with the format, so that a process doesn't read what another version wrote. */
const PURPOSE = "geolookup key snapshot 1";

/** Adds or checks the MACs of a file's lines, from the first to the last. Each covers its line and all lines before it. */
export interface LineChain {
  /** @returns the line, with its MAC and newline. */
  seal(line: string): string;
  /** @returns the line without its MAC; undefined if it isn't the line that was sealed in this place. */
  open(sealed: Buffer): string | undefined;
}

/** So no one can change, add, drop or reorder lines without the signing key. A file that ends early must show otherwise. */
export function createLineChain({ secret }: SigningKey): LineChain {
  const key = createHmac("sha256", secret).update(PURPOSE).digest();
  let previous = "";
  const macOf = (line: string | Buffer) => createHmac("sha256", key).update(previous).update(line).digest("base64url");
  return {
    seal: (line) => {
      previous = macOf(line);
      return `${previous}${line}\n`;
    },
    open: (sealed) => {
      const line = sealed.subarray(MAC_LENGTH);
      const mac = macOf(line);
      const actual = sealed.subarray(0, MAC_LENGTH);
      if (actual.length < MAC_LENGTH || !timingSafeEqual(actual, Buffer.from(mac))) return undefined;
      previous = mac;
      return line.toString();
    },
  };
}
