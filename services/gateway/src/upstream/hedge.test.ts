import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { expect } from "chai";
import { askFirst } from "./hedge.ts";

const TIMES = { timeoutMs: 150, hedgeAfterMs: 20 };
/** For what ends before its deadline, however busy the machine is. */
const PATIENT = { ...TIMES, timeoutMs: 10_000 };

/** A node and what it does with its first, second… question: its name is the answer. */
interface Scripted {
  name: string;
  does: ("answers" | "fails" | "refuses" | "hangs")[];
}

/** Asks scripted nodes, in their order; notes what happens. */
function ask(nodes: Scripted[], { doubtful = [] as readonly string[], times = TIMES } = {}) {
  const notes: string[] = [];
  const counts = new Map<string, number>();
  const answer = askFirst<Scripted, string>(
    {
      next: (tried, why) => nodes.find((node) => !tried.has(node) && !(why === "slow" && doubtful.includes(node.name))),
      ask: ({ name, does }, _timeoutMs, done) => {
        const count = counts.get(name) ?? 0;
        counts.set(name, count + 1);
        notes.push(`ask ${name}`);
        const deed = does[Math.min(count, does.length - 1)];
        if (deed === "answers") setImmediate(done, null, name);
        if (deed === "fails") setImmediate(done, new ServiceError("unavailable", `${name} failed`));
        if (deed === "refuses") setImmediate(done, new ServiceError("invalid", `${name} refused`));
        return () => notes.push(`end ${name}`);
      },
      late: ({ name }) => notes.push(`late ${name}`),
    },
    times,
    () => new Error("nobody answered"),
  );
  return { notes, outcome: answer.catch((error: Error) => error.message) };
}

describe("askFirst", () => {
  const cases: readonly (readonly [name: string, nodes: Scripted[], outcome: string, notes: string[]])[] = [
    [
      "asks one node when it answers",
      [
        { name: "a", does: ["answers"] },
        { name: "b", does: ["answers"] },
      ],
      "a",
      ["ask a"],
    ],
    [
      "asks another at once when one fails",
      [
        { name: "a", does: ["fails"] },
        { name: "b", does: ["answers"] },
      ],
      "b",
      ["ask a", "ask b"],
    ],
    [
      "asks another when one is late, and ends the late call",
      [
        { name: "a", does: ["hangs"] },
        { name: "b", does: ["answers"] },
      ],
      "b",
      ["ask a", "late a", "ask b", "end a"],
    ],
    [
      "asks a third when two are late",
      [
        { name: "a", does: ["hangs"] },
        { name: "b", does: ["hangs"] },
        { name: "c", does: ["answers"] },
      ],
      "c",
      ["ask a", "late a", "ask b", "late a", "late b", "ask c", "end a", "end b"],
    ],
    [
      "asks again when all failed: one comes back",
      [
        { name: "a", does: ["fails", "fails", "answers"] },
        { name: "b", does: ["fails"] },
      ],
      "a",
      ["ask a", "ask b", "ask a", "ask b", "ask a"],
    ],
    [
      "asks one that failed again while another hangs",
      [
        { name: "a", does: ["fails", "answers"] },
        { name: "b", does: ["hangs"] },
      ],
      "a",
      ["ask a", "ask b", "late b", "ask a", "end b"],
    ],
    [
      "does not repeat a question that every node refuses",
      [
        { name: "a", does: ["refuses"] },
        { name: "b", does: ["refuses"] },
      ],
      "b refused",
      ["ask a", "ask b"],
    ],
  ];
  for (const [name, nodes, expected, expectedNotes] of cases) {
    it(name, async () => {
      const { notes, outcome } = ask(nodes, { times: PATIENT });
      expect(await outcome).to.equal(expected);
      expect(notes).to.deep.equal(expectedNotes);
    });
  }

  it("fails in time when nobody answers, and ends the calls", async () => {
    const startedAt = performance.now();
    const { notes, outcome } = ask([{ name: "a", does: ["hangs"] }]);
    expect(await outcome).to.equal("nobody answered");
    expect(performance.now() - startedAt).to.be.within(TIMES.timeoutMs - 1, TIMES.timeoutMs * 4);
    expect(notes[0]).to.equal("ask a");
    expect(notes.at(-1)).to.equal("end a");
  });
  it("fails with the last failure when all fail", async () => {
    expect(await ask([{ name: "a", does: ["fails"] }]).outcome).to.equal("a failed");
  });
  it("fails in time when there is nobody to ask", async () => {
    expect(await ask([]).outcome).to.equal("nobody answered");
  });
  it("sends no second question for lateness alone to a node that may not answer", async () => {
    const nodes: Scripted[] = [
      { name: "a", does: ["hangs"] },
      { name: "b", does: ["answers"] },
    ];
    const { notes, outcome } = ask(nodes, { doubtful: ["b"] });
    expect(await outcome).to.equal("nobody answered");
    expect(notes).not.to.include("ask b");
  });
});
