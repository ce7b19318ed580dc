import { randomBytes } from "node:crypto";
import { expect } from "chai";
import { createSessions } from "./sessions.ts";

/** With every character that a name can have, and the longest. */
const OPERATOR = { name: `a.b_c@d-${"x".repeat(56)}`, source: "oidc", role: "operator", version: 0 } as const;

describe("sessions", () => {
  const nowMs = Date.UTC(2026, 10, 21);
  const sessionsUnder = (adminToken: string) => createSessions({ adminToken, clock: () => nowMs, randomBytes });
  const sessions = sessionsUnder("a-token-of-some-length");
  const others = sessionsUnder("a-token-of-some-length!");

  it("are accepted by every portal with the same admin token, and by no others", () => {
    const session = sessions.start(OPERATOR);
    const sealed = sessions.seal(session);
    expect(sessionsUnder("a-token-of-some-length").open(sealed)).to.deep.equal(session);
    expect(others.open(sealed)).to.equal(null);
  });

  it("have IDs of 256 random bits", () => {
    const ids = Array.from({ length: 20 }, () => sessions.start(OPERATOR).id);
    expect(new Set(ids).size).to.equal(20);
    for (const id of ids) expect(Buffer.from(id, "base64url")).to.have.length(32);
  });

  it("are refused if any character of their cookie was changed", () => {
    const sealed = sessions.seal(sessions.start(OPERATOR));
    for (let at = 0; at < sealed.length; at += 1) {
      const other = sealed[at] === "A" ? "B" : "A";
      expect(sessions.open(sealed.slice(0, at) + other + sealed.slice(at + 1)), `character ${at}`).to.equal(null);
    }
  });

  for (const text of ["", ".", "a.b.c.d", "...", `${"A".repeat(43)}.1.1.${"A".repeat(43)}`, "x".repeat(10_000)])
    it(`can't be opened from ${JSON.stringify(text.slice(0, 30))}`, () => expect(sessions.open(text)).to.equal(null));

  it("of an operator named by a proxy are the same at every portal, and can't be ended", () => {
    const named = { name: "otto", source: "proxy", role: null, version: 0 } as const;
    const session = sessions.start(named);
    expect(sessionsUnder("a-token-of-some-length").start(named)).to.deep.equal(session);
    sessions.end(session);
    expect(sessions.isLive(session)).to.equal(true);
    for (const id of [others.start(named).id, sessions.start({ ...named, name: "anna" }).id])
      expect(id).to.not.equal(session.id);
  });

  it("accept their own form token only", () => {
    const [one, two] = [sessions.start(OPERATOR), sessions.start(OPERATOR)];
    expect(sessions.isCsrfToken(one, sessions.csrfToken(one))).to.equal(true);
    for (const text of [sessions.csrfToken(two), others.csrfToken(one), "", one.id, sessions.seal(one)])
      expect(sessions.isCsrfToken(one, text)).to.equal(false);
  });
});
