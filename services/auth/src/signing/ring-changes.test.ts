import { randomBytes } from "node:crypto";
import { expect } from "chai";
import { newEntriesOf, withActive, withDropped, withEntriesOf, withNewEntry } from "./ring-changes.ts";
import { newRingText, parseRing } from "./signing-ring.ts";

describe("changing a signing-key ring", () => {
  it("adds an entry that verifies but doesn't sign yet", () => {
    const before = parseRing(newRingText(randomBytes));
    const { text, id } = withNewEntry(
      newRingText(() => Buffer.alloc(32, 7)),
      randomBytes,
    );
    const ring = parseRing(text);
    expect(ring.byId.size).to.equal(2);
    expect(ring.byId.get(id)?.secret).to.have.length(32);
    expect(ring.active.id).to.not.equal(id);
    expect(before.active.id).to.not.equal(id);
  });

  it("gives a new entry a unique ID", () => {
    const sizes: Buffer[] = [];
    // The first draws repeat those that made the ring; only then come others.
    const unlucky = (size: number) => {
      sizes.push(Buffer.alloc(size, sizes.length < 3 ? 7 : 9));
      return sizes.at(-1) as Buffer;
    };
    const ring = newRingText(() => Buffer.alloc(32, 7));
    const { text, id } = withNewEntry(ring, unlucky);
    expect(parseRing(text).byId.size).to.equal(2);
    expect(id).to.not.equal(parseRing(ring).active.id);
  });

  it("drops an entry: its ID stays, with a secret that no one knows, and also if it was already lost", () => {
    const first = newRingText(randomBytes);
    const { active } = parseRing(first);
    const added = withNewEntry(first, randomBytes);
    const text = withActive(added.text, added.id);
    const other = newRingText(randomBytes);
    for (const dropped of [text, other].map((ring) => withDropped(ring, active.id, randomBytes))) {
      const entry = parseRing(dropped).byId.get(active.id);
      expect(entry?.secret).to.have.length(32);
      expect(entry?.secret.equals(active.secret)).to.equal(false);
    }
    expect(parseRing(withDropped(text, active.id, randomBytes)).active).to.deep.equal(parseRing(text).active);
    expect(() => withDropped(first, active.id, randomBytes)).to.throw(
      /signs new keys. Run `.\/geolookup rotate signing-key`/,
    );
  });

  it("makes another entry sign, while the others still verify", () => {
    const first = newRingText(randomBytes);
    const added = withNewEntry(first, randomBytes);
    const ring = parseRing(withActive(added.text, added.id));
    expect(ring.active.id).to.equal(added.id);
    expect(ring.byId.get(parseRing(first).active.id)).to.deep.equal(parseRing(first).active);
  });

  it("refuses to make an unknown entry sign", () => {
    expect(() => withActive(newRingText(randomBytes), "----")).to.throw("no entry ----");
  });

  it("merges two rings: keys of both are valid, and the first ring's active entry signs", () => {
    const [mine, theirs] = [newRingText(randomBytes), newRingText(randomBytes)];
    expect(newEntriesOf(mine, theirs)).to.deep.equal([parseRing(theirs).active.id]);
    expect(newEntriesOf(null, theirs)).to.deep.equal([parseRing(theirs).active.id]);
    const text = withEntriesOf(mine, theirs);
    const ring = parseRing(text);
    expect(ring.active).to.deep.equal(parseRing(mine).active);
    expect(ring.byId.get(parseRing(theirs).active.id)).to.deep.equal(parseRing(theirs).active);
    expect(newEntriesOf(text, theirs)).to.deep.equal([]);
    expect(withEntriesOf(text, theirs)).to.equal(text);
  });

  it("refuses to merge rings with different secrets for one ID, and shows no secret", () => {
    const ring = (secret: number) =>
      JSON.stringify({
        active: "aaaa",
        keys: [{ id: "aaaa", secret: Buffer.alloc(32, secret).toString("base64url") }],
      });
    expect(() => withEntriesOf(ring(1), ring(2)))
      .to.throw("entry aaaa")
      .with.property("message")
      .not.include("AQEB");
  });
});
