import { expect } from "chai";
import { errorBody } from "../error-messages.ts";
import type { ErrorCode, Problem } from "../errors.ts";

/** A problem, and what its message must and must not say. */
export interface MessageCase {
  name: string;
  problem: Problem;
  says: RegExp[];
  never?: RegExp;
}

/** The codes whose messages each suite tests. */
export const TESTED_CODES = {
  keys: ["missing_key", "malformed_key", "bad_signature", "unknown_key", "revoked_key", "origin_not_allowed"],
  limits: ["rate_limited", "quota_exceeded"],
  notFound: ["not_found"],
  failures: ["internal_error"],
} satisfies Record<string, ErrorCode[]>;

/** The tests of a suite: each message says what to change, and each code has one. */
export function testMessages(suite: keyof typeof TESTED_CODES, cases: readonly MessageCase[]): void {
  for (const { name, problem, says, never } of cases)
    it(`says what to change: ${name}`, () => {
      const { error } = errorBody(problem, "https://docs.example");
      expect(error.code).to.equal(problem.code);
      expect(error.docs).to.equal(`https://docs.example/errors/${problem.code}`);
      for (const pattern of says) expect(error.message).to.match(pattern);
      if (never) expect(error.message).to.not.match(never);
    });

  it("covers every code", () => {
    expect([...new Set(cases.map(({ problem }) => problem.code))]).to.have.members(TESTED_CODES[suite]);
  });
}
