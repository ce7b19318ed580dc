import type { Grant } from "@geolookup/shared/domain/authorize.ts";
import type { KeyEvent } from "@geolookup/shared/domain/key-event.ts";
import { expect } from "chai";
import { createVerdictState } from "./cache-state.ts";

/** The life of one key: what happened at sequence 1, 2, 3, 4, and what the key is worth from then on. */
const LIFE: readonly { type: KeyEvent["type"]; worth: string }[] = [
  { type: "KeyIssued", worth: "free" },
  { type: "KeyPlanChanged", worth: "paid" },
  { type: "KeyPlanChanged", worth: "more" },
  { type: "KeyRevoked", worth: "revoked" },
];
const EPOCH = "epoch";
const SHA = "sha";
/** What the key is worth to one who knows the log up to `sequence`. */
const worthAt = (sequence: number) => LIFE[sequence - 1]?.worth;
const FILLS = 3;

type Step = { heard: number } | { filledAt: number };

/** Every order in which the events after `from` and FILLS answers, each from anywhere in the log, can arrive. */
function* interleavings(heard: number, fills: number): Generator<Step[]> {
  if (heard === LIFE.length && fills === 0) yield [];
  if (heard < LIFE.length) for (const rest of interleavings(heard + 1, fills)) yield [{ heard: heard + 1 }, ...rest];
  if (fills > 0)
    for (let filledAt = 1; filledAt <= LIFE.length; filledAt += 1)
      for (const rest of interleavings(heard, fills - 1)) yield [{ filledAt }, ...rest];
}

function grant(plan: string): Grant {
  return { keyId: "key", kind: "secret", plan, fields: "paid", monthlyRequests: 1, origins: [], display: "" };
}

describe("the verdict cache in every order of events and answers", () => {
  for (const from of [0, 1, 2, 3, 4]) {
    it(`never serves less than it heard, having begun at sequence ${from}`, () => {
      let orders = 0;
      for (const steps of interleavings(from, FILLS)) {
        orders += 1;
        const state = createVerdictState({ capacity: 10, onEviction: () => {} });
        state.reset(EPOCH, from);
        state.live(true, 0);
        let known = from;
        for (const step of steps) {
          if ("heard" in step) {
            known = Math.max(known, step.heard);
            state.event(
              { type: LIFE[step.heard - 1]?.type ?? "KeyIssued", keyId: "key" },
              { epoch: EPOCH, sequence: step.heard },
            );
          } else {
            const worth = worthAt(step.filledAt) ?? "";
            const { known: used, isOld } = state.fill(
              SHA,
              worth === "revoked" ? worth : grant(worth),
              { epoch: EPOCH, sequence: step.filledAt },
              0,
            );
            const isStale = step.filledAt < known;
            if (!isOld) known = Math.max(known, step.filledAt);
            const named = used === "revoked" ? used : used.plan;
            // Only an answer that says of itself that it is old may be.
            if (!isOld) expect(named, JSON.stringify(steps)).to.equal(worthAt(known));
            else expect(isStale, JSON.stringify(steps)).to.equal(true);
          }
          const held = state.read(SHA, 0)?.known;
          if (held !== undefined)
            expect(held === "revoked" ? held : held.plan, JSON.stringify(steps)).to.equal(worthAt(known));
        }
      }
      expect(orders).to.be.at.least(4 ** FILLS);
    });
  }
});
