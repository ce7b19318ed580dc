import { type RandomBytes, randomBase62 } from "./signature.ts";
import { ID_LENGTH, newRingText, parseRing, ringText } from "./signing-ring.ts";

/** Adds a random entry to a ring file's text. It verifies, but doesn't sign yet. @throws Error like parseRing. */
export function withNewEntry(text: string, randomBytes: RandomBytes): { text: string; id: string } {
  const { active, byId } = parseRing(text);
  let made = parseRing(newRingText(randomBytes)).active;
  // Rare, with 14 million IDs, but an ID must stand for one secret.
  while (byId.has(made.id)) made = { ...made, id: randomBase62(ID_LENGTH, randomBytes) };
  return { text: ringText({ active, byId: new Map([...byId, [made.id, made]]) }), id: made.id };
}

/** Makes another entry of a ring file's text sign. @throws Error when the entry doesn't exist, and like parseRing. */
export function withActive(text: string, id: string): string {
  const { byId } = parseRing(text);
  const active = byId.get(id);
  if (!active) throw new Error(`the ring has no entry ${id}`);
  return ringText({ active, byId });
}

/**
 * Invalidates every key that an entry of a ring file's text signed: gives it a random secret that no one knows. The entry stays, which
 * shows that it was dropped on purpose. If the ring lacks it, it is added.
 * @throws Error when the entry signs new keys, and like parseRing.
 */
export function withDropped(text: string, id: string, randomBytes: RandomBytes): string {
  const { active, byId } = parseRing(text);
  if (id === active.id) throw new Error(`${id} signs new keys. Run \`./geolookup rotate signing-key\` first`);
  const { secret } = parseRing(newRingText(randomBytes)).active;
  return ringText({ active, byId: new Map([...byId, [id, { id, secret }]]) });
}

/**
 * Lists the IDs of another ring's entries that a ring lacks.
 * @param text null if there is no ring yet.
 * @throws Error when an ID has different secrets in the two rings, and like parseRing.
 */
export function newEntriesOf(text: string | null, other: string): string[] {
  const byId = text === null ? new Map() : parseRing(text).byId;
  return [...parseRing(other).byId.values()].flatMap(({ id, secret }) => {
    const present = byId.get(id);
    if (present && !present.secret.equals(secret))
      throw new Error(
        `entry ${id} has different secrets in the two rings, so they can't be merged; was it dropped from one?`,
      );
    return present ? [] : [id];
  });
}

/**
 * Adds another ring's entries to a ring file's text, so that keys signed by either are valid. The active entry stays the
 * same.
 * @throws Error like newEntriesOf.
 */
export function withEntriesOf(text: string, other: string): string {
  const added = new Set(newEntriesOf(text, other));
  const { active, byId } = parseRing(text);
  const entries = [...parseRing(other).byId].filter(([id]) => added.has(id));
  return ringText({ active, byId: new Map([...byId, ...entries]) });
}
