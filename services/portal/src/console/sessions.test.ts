import { randomBytes } from "node:crypto";
import { expect } from "chai";
import { createSessions, MAX_IDLE_MS, MAX_SESSION_MS } from "./sessions.ts";

const MINUTE_MS = 60_000;

describe("sessions", () => {
  let nowMs = Date.UTC(2026, 10, 21);
  const sessionsUnder = (adminToken: string) => createSessions({ adminToken, clock: () => nowMs, randomBytes });
  const sessions = sessionsUnder("a-token-of-some-length");
  const others = sessionsUnder("a-token-of-some-length!");

  it("are accepted by every portal with the same admin token, and by no others", () => {
    const session = sessions.start();
    const sealed = sessions.seal(session);
    expect(sessionsUnder("a-token-of-some-length").open(sealed)).to.deep.equal(session);
    expect(others.open(sealed)).to.equal(null);
  });

  it("have IDs of 256 random bits", () => {
    const ids = Array.from({ length: 20 }, () => sessions.start().id);
    expect(new Set(ids).size).to.equal(20);
    for (const id of ids) expect(Buffer.from(id, "base64url")).to.have.length(32);
  });

  it("end after half an hour without use, and continue when used", () => {
    const session = sessions.start();
    const sealed = sessions.seal(session);
    nowMs += MAX_IDLE_MS - 1;
    const used = sessions.renewed(session);
    if (used === null) throw new Error("the session was not renewed");
    nowMs += 1;
    expect(sessions.open(sealed)).to.equal(null);
    expect(sessions.open(sessions.seal(used))).to.deep.equal(used);
  });

  it("end after eight hours even if they are used", () => {
    let session = sessions.start();
    for (const endMs = nowMs + MAX_SESSION_MS - MINUTE_MS; nowMs < endMs; nowMs += MINUTE_MS)
      session = sessions.renewed(session) ?? session;
    expect(sessions.open(sessions.seal(session))).to.not.equal(null);
    nowMs += MINUTE_MS;
    expect(sessions.open(sessions.seal({ ...session, seenAtMs: nowMs }))).to.equal(null);
  });

  it("end on sign-out, with all their cookies", () => {
    const session = sessions.start();
    const cookies = [sessions.seal(session), sessions.seal({ ...session, seenAtMs: nowMs + 1 })];
    sessions.end(session);
    for (const cookie of cookies) expect(sessions.open(cookie)).to.equal(null);
    expect(sessions.isLive(session)).to.equal(false);
  });

  it("are refused if any character of their cookie was changed", () => {
    const sealed = sessions.seal(sessions.start());
    for (let at = 0; at < sealed.length; at += 1) {
      const other = sealed[at] === "A" ? "B" : "A";
      expect(sessions.open(sealed.slice(0, at) + other + sealed.slice(at + 1)), `character ${at}`).to.equal(null);
    }
  });

  for (const text of ["", ".", "a.b.c.d", "...", `${"A".repeat(43)}.1.1.${"A".repeat(43)}`, "x".repeat(10_000)])
    it(`can't be opened from ${JSON.stringify(text.slice(0, 30))}`, () => expect(sessions.open(text)).to.equal(null));

  it("accept their own form token only", () => {
    const [one, two] = [sessions.start(), sessions.start()];
    expect(sessions.isCsrfToken(one, sessions.csrfToken(one))).to.equal(true);
    for (const text of [sessions.csrfToken(two), others.csrfToken(one), "", one.id, sessions.seal(one)])
      expect(sessions.isCsrfToken(one, text)).to.equal(false);
  });

  it("accept the admin token only", () => {
    expect(sessions.isAdminToken("a-token-of-some-length")).to.equal(true);
    for (const text of ["", "a-token-of-some-lengt", "a-token-of-some-length ", "A-token-of-some-length"])
      expect(sessions.isAdminToken(text)).to.equal(false);
  });
});
