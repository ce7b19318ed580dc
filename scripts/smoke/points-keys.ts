import { setTimeout as delay } from "node:timers/promises";
import { errorOf, recordOf, withKey } from "./answers.ts";
import type { Answer, Sent } from "./ask.ts";
import { ALLOWED_ORIGIN } from "./keys.ts";
import { holds, type Point, type Smoke } from "./point.ts";

const REVOKED_WITHIN_MS = 5_000;
const RETRY_AFTER_MS = 100;
const REFUSED_ORIGIN = "https://elsewhere.example.com";

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
const header = (key: string) => ({ "X-API-Key": key });
const WRONG = "nonsense";

/** The right shape, and a character changed in the middle. */
const forged = (key: string) => key.replace(/^(.{20})(.)/, (_, start, digit) => start + (digit === "a" ? "b" : "a"));

const refuses = (
  section: string,
  says: string,
  code: Parameters<typeof errorOf>[1],
  sent: (smoke: Smoke) => Sent,
): Point => ({
  section,
  says,
  check: async (smoke) => void errorOf(await smoke.ask(sent(smoke)), code),
});
const answers = (section: string, says: string, sent: (smoke: Smoke) => Sent): Point => ({
  section,
  says,
  check: async (smoke) => void recordOf(await smoke.ask(sent(smoke))),
});

/** Section 5, and the codes of section 7 that are about keys and origins. */
export const KEY_POINTS: readonly Point[] = [
  answers("5 rule 1", "a secret key in ?key=", ({ keys }) => withKey(keys.paid())),
  answers("5 rule 1", "a secret key in Authorization: Bearer", ({ keys }) => ({ headers: bearer(keys.paid()) })),
  answers("5 rule 1", "a secret key in X-API-Key", ({ keys }) => ({ headers: header(keys.paid()) })),
  answers("5 rule 1", "a publishable key in ?key=", ({ keys }) => withKey(keys.free())),
  answers("5 rule 1", "a publishable key in Authorization: Bearer", ({ keys }) => ({ headers: bearer(keys.free()) })),
  answers("5 rule 1", "a publishable key in X-API-Key", ({ keys }) => ({ headers: header(keys.free()) })),
  refuses("5", "?key= comes before Authorization", "malformed_key", ({ keys }) => ({
    ...withKey(WRONG),
    headers: bearer(keys.paid()),
  })),
  refuses("5", "Authorization comes before X-API-Key", "malformed_key", ({ keys }) => ({
    headers: { ...bearer(WRONG), ...header(keys.paid()) },
  })),
  answers("5", "a good key in the first place is enough", ({ keys }) => ({
    ...withKey(keys.paid()),
    headers: { ...bearer(WRONG), ...header(WRONG) },
  })),
  refuses("5 rule 3", "an empty key is missing_key", "missing_key", () => withKey("")),
  refuses("5 rule 3", "a key of the wrong shape is malformed_key", "malformed_key", () => withKey(WRONG)),
  refuses("5 rule 3", "a key that was not issued here is bad_signature", "bad_signature", ({ keys }) =>
    withKey(forged(keys.paid())),
  ),
  refuses("5 rule 3", "a key without a record is unknown_key", "unknown_key", ({ keys }) => withKey(keys.unknown())),
  {
    section: "5 rule 3",
    says: "a revoked key is revoked_key",
    async check({ ask, keys, clock }) {
      const sent = withKey(keys.revoked());
      let answer: Answer = await ask(sent);
      // It was revoked a moment ago.
      for (const startedMs = clock(); answer.status === 200 && clock() < startedMs + REVOKED_WITHIN_MS; ) {
        await delay(RETRY_AFTER_MS);
        answer = await ask(sent);
      }
      errorOf(answer, "revoked_key");
    },
  },
  {
    section: "5 rule 4, 7",
    says: "an origin that is not on the allowlist is refused, and the message names it and the key",
    async check({ ask, keys }) {
      const key = keys.restricted();
      const { message } = errorOf(
        await ask({ ...withKey(key), headers: { Origin: REFUSED_ORIGIN } }),
        "origin_not_allowed",
      );
      holds(message.includes(REFUSED_ORIGIN), "the message does not name the refused origin");
      holds(message.includes(key.slice(0, 7)) && message.includes(key.slice(-4)), "the message does not name the key");
      holds(!message.includes(key), "the message shows the whole key");
    },
  },
  answers("5 rule 4", "an origin on the allowlist is served", ({ keys }) => ({
    ...withKey(keys.restricted()),
    headers: { Origin: ALLOWED_ORIGIN },
  })),
];
