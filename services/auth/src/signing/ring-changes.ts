import { type RandomBytes, randomBase62 } from "../keys/base62.ts";
import { ID_LENGTH, newRingText, parseRing, ringText } from "./signing-ring.ts";

/** A ring file's text with one random entry more, which verifies and does not sign yet. @throws Error as parseRing. */
export function withNewEntry(text: string, randomBytes: RandomBytes): { text: string; id: string } {
  const { active, byId } = parseRing(text);
  let made = parseRing(newRingText(randomBytes)).active;
  // Of 14 million ids a ring has a few; still, a key's id must tell one secret.
  while (byId.has(made.id)) made = { ...made, id: randomBase62(ID_LENGTH, randomBytes) };
  return { text: ringText({ active, byId: new Map([...byId, [made.id, made]]) }), id: made.id };
}

/** A ring file's text with another of its entries signing. @throws Error when there is no such entry, or as parseRing. */
export function withActive(text: string, id: string): string {
  const { byId } = parseRing(text);
  const active = byId.get(id);
  if (!active) throw new Error(`the ring has no entry ${id}`);
  return ringText({ active, byId });
}

/**
 * The IDs of the entries of another ring that a ring lacks.
 * @param text null if there is no ring yet.
 * @throws Error when both have an entry of the same id with different secrets, or as parseRing.
 */
export function newEntriesOf(text: string | null, other: string): string[] {
  const byId = text === null ? new Map() : parseRing(text).byId;
  return [...parseRing(other).byId.values()].flatMap(({ id, secret }) => {
    const present = byId.get(id);
    if (present && !present.secret.equals(secret))
      throw new Error(`both rings have an entry ${id}, with different secrets: they cannot become one`);
    return present ? [] : [id];
  });
}

/**
 * A ring file's text with the entries of another ring that it lacks, so that keys signed by either are known. What it
 * signs with stays.
 * @throws Error like newEntriesOf.
 */
export function withEntriesOf(text: string, other: string): string {
  const added = new Set(newEntriesOf(text, other));
  const { active, byId } = parseRing(text);
  const entries = [...parseRing(other).byId].filter(([id]) => added.has(id));
  return ringText({ active, byId: new Map([...byId, ...entries]) });
}
