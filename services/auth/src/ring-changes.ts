import { type RandomBytes, randomBase62 } from "./base62.ts";
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
 * A ring file's text with the entries of another ring that it lacks, so that keys signed by either are known. What it
 * signs with stays.
 * @throws Error when both have an entry of the same id with different secrets, or as parseRing.
 */
export function withEntriesOf(text: string, other: string): { text: string; added: number } {
  const ring = parseRing(text);
  const byId = new Map(ring.byId);
  for (const [id, entry] of parseRing(other).byId) {
    const present = byId.get(id);
    if (present && !present.secret.equals(entry.secret))
      throw new Error(`both rings have an entry ${id}, with different secrets: they cannot become one`);
    byId.set(id, entry);
  }
  return { text: ringText({ active: ring.active, byId }), added: byId.size - ring.byId.size };
}
