import { randomBytes } from "node:crypto";
import { mintKey } from "@geolookup/auth/signing/signature.ts";
import { newRingText, parseRing } from "@geolookup/auth/signing/signing-ring.ts";
import type { Attack } from "./attack.ts";
import { flood } from "./floods.ts";

const CONNECTIONS = 100;

/**
 * Well-formed keys that were never issued, a new one in each request. Refusing them must cost auth little, and must not evict
 * valid keys from a cache.
 * @param options.ringText the target's signing keys: the keys are then unknown instead of having bad signatures.
 */
export function badKeys({ perSecond, ringText }: { perSecond: number; ringText?: string }): Attack {
  const isKnownRing = ringText !== undefined;
  const code = isKnownRing ? "unknown_key" : "bad_signature";
  return {
    name: isKnownRing ? "unknown-keys" : "bad-signatures",
    about: `${perSecond.toLocaleString("en")} requests a second, each with a new key that ${isKnownRing ? "has a valid signature and no record" : "another deployment signed"}`,
    maxLogLinesPerSecond: 10,
    async run(target, signal) {
      const { active } = parseRing(ringText ?? newRingText(randomBytes));
      const requestOf = () => ({
        bytes: `GET /v1/geo?key=${mintKey("secret", active, randomBytes)} HTTP/1.1\r\nHost: a\r\n\r\n`,
        code,
      });
      const { tally, codes } = await flood(target, signal, { connections: CONNECTIONS, perSecond, requestOf });
      const others = Object.keys(codes).filter((each) => each !== code);
      return { tally, problems: others.map((other) => `${codes[other]} of the keys got ${other}`) };
    },
  };
}
