import type { Grant } from "@geolookup/shared/domain/authorize.ts";
import type { KeyEvent } from "@geolookup/shared/domain/key-event.ts";
import { expect } from "chai";
import { createCacheState, isRevoked } from "./cache-state.ts";

/** One key's events at sequence 1, 2, 3 and 4, and its status after each. */
const HISTORY: readonly { type: KeyEvent["type"]; status: string }[] = [
  { type: "KeyIssued", status: "free" },
  { type: "KeyPlanChanged", status: "paid" },
  { type: "KeyPlanChanged", status: "more" },
  { type: "KeyRevoked", status: "revoked" },
];
const EPOCH = "epoch";
const SHA = "sha";
/** The key's status after `sequence`. */
const statusAt = (sequence: number) => HISTORY[sequence - 1]?.status;
const FILLS = 3;

type Step = { received: number } | { filledAt: number };

/** Every order in which the events after `from` and FILLS responses, each from anywhere in the log, can arrive. */
function* interleavings(received: number, fills: number): Generator<Step[]> {
  if (received === HISTORY.length && fills === 0) yield [];
  if (received < HISTORY.length)
    for (const rest of interleavings(received + 1, fills)) yield [{ received: received + 1 }, ...rest];
  if (fills > 0)
    for (let filledAt = 1; filledAt <= HISTORY.length; filledAt += 1)
      for (const rest of interleavings(received, fills - 1)) yield [{ filledAt }, ...rest];
}

function grant(plan: string): Grant {
  return { keyId: "key", kind: "secret", plan, fields: "paid", monthlyRequests: 1, origins: [], display: "" };
}

describe("authorization cache in every order of events and responses", () => {
  for (const from of [0, 1, 2, 3, 4]) {
    it(`never reverts a received event, starting at sequence ${from}`, () => {
      let orders = 0;
      for (const steps of interleavings(from, FILLS)) {
        orders += 1;
        const state = createCacheState({ capacity: 10, onEviction: () => {} });
        state.reset(EPOCH, from);
        state.live(true);
        let known = from;
        for (const step of steps) {
          if ("received" in step) {
            known = Math.max(known, step.received);
            state.event(
              { type: HISTORY[step.received - 1]?.type ?? "KeyIssued", keyId: "key" },
              { epoch: EPOCH, sequence: step.received },
            );
          } else {
            const status = statusAt(step.filledAt) ?? "";
            const { status: used, isStale: isMarkedStale } = state.fill(
              SHA,
              status === "revoked" ? { revokedKeyId: "key" } : grant(status),
              { epoch: EPOCH, sequence: step.filledAt },
              0,
            );
            const isStale = step.filledAt < known;
            if (!isMarkedStale) known = Math.max(known, step.filledAt);
            const named = isRevoked(used) ? "revoked" : used.plan;
            // Only a response that is marked as stale may be stale.
            if (!isMarkedStale) expect(named, JSON.stringify(steps)).to.equal(statusAt(known));
            else expect(isStale, JSON.stringify(steps)).to.equal(true);
          }
          const cached = state.read(SHA, 0)?.status;
          if (cached !== undefined)
            expect(isRevoked(cached) ? "revoked" : cached.plan, JSON.stringify(steps)).to.equal(statusAt(known));
        }
      }
      expect(orders).to.be.at.least(4 ** FILLS);
    });
  }
});
