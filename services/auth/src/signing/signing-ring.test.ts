import { randomBytes } from "node:crypto";
import { expect } from "chai";
import { newRingText, parseRing } from "./signing-ring.ts";

const A = Buffer.alloc(32, 1).toString("base64url");
const B = Buffer.alloc(40, 2).toString("base64url");
const entry = (id: string, secret: string) => ({ id, secret });
const text = (active: unknown, ...keys: unknown[]) => JSON.stringify({ active, keys });

describe("a signing-key ring", () => {
  it("has one active key and others that verify", () => {
    const ring = parseRing(text("bbbb", entry("aaaa", A), entry("bbbb", B)));
    expect(ring.active).to.deep.equal({ id: "bbbb", secret: Buffer.alloc(40, 2) });
    expect([...ring.byId.keys()]).to.deep.equal(["aaaa", "bbbb"]);
  });

  it("is created with one random key", () => {
    const first = parseRing(newRingText(randomBytes));
    const second = parseRing(newRingText(randomBytes));
    expect(first.byId.size).to.equal(1);
    expect(first.active.secret).to.have.length(32);
    expect(first.active.secret.equals(second.active.secret)).to.equal(false);
  });

  const refused: [what: string, text: string, message: RegExp][] = [
    ["nothing", "", /valid JSON/],
    ["garbage", `{"active": "${A}`, /valid JSON/],
    ["a list", "[]", /it: .*object/],
    ["no keys", text("aaaa"), /active must be/],
    ["an active key that is not there", text("cccc", entry("aaaa", A)), /active must be/],
    ["no active key", text(undefined, entry("aaaa", A)), /active: /],
    ["a short secret", text("aaaa", entry("aaaa", A.slice(0, 40))), /keys.0.secret: must hold at least 32 bytes/],
    ["a secret that is not base64url", text("aaaa", entry("aaaa", `${A}+/=`)), /keys.0.secret: must be base64url/],
    ["a long id", text("aaaaa", entry("aaaaa", A)), /keys.0.id: must be 4/],
    ["an id outside base62", text("aa-a", entry("aa-a", A)), /keys.0.id: must be 4/],
    ["the same ID twice", text("aaaa", entry("aaaa", A), entry("aaaa", B)), /same ID/],
    ["an unknown field", text("aaaa", { ...entry("aaaa", A), active: true }), /keys.0: .*active/],
    ["two mistakes", text("aaaa", entry("a", A), entry("aaaa", "AA")), /keys.0.id.*keys.1.secret/],
  ];
  for (const [what, ring, message] of refused)
    it(`with ${what} is refused, and the error shows no secret`, () => {
      expect(() => parseRing(ring))
        .to.throw(message)
        .with.property("message")
        .not.include(A.slice(0, 8));
    });
});
