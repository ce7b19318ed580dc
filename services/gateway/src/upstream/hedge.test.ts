import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { expect } from "chai";
import { callFirst } from "./hedge.ts";

const TIMES = { timeoutMs: 150, hedgeAfterMs: 20 };
/** For cases that end before the timeout, even on a busy machine. */
const PATIENT = { ...TIMES, timeoutMs: 10_000 };

/** A node, and what it does with its first, second… call. It responds with its name. */
interface Scripted {
  name: string;
  does: readonly ("responds" | "fails" | "refuses" | "hangs" | "is behind")[];
}
/** What nodes do, by their names. */
type Nodes = Readonly<Record<string, Scripted["does"]>>;

/** Calls scripted nodes in order, and records what happens. */
function call(scripts: Nodes, { doubtful = [] as readonly string[], times = TIMES } = {}) {
  const nodes: Scripted[] = Object.entries(scripts).map(([name, does]) => ({ name, does }));
  const notes: string[] = [];
  const counts = new Map<string, number>();
  const response = callFirst<Scripted, string>(
    {
      next: (tried, why) =>
        nodes.find(
          (node) =>
            !tried.has(node) &&
            !(why === "slow" && doubtful.includes(node.name)) &&
            !(why === "behind" && isKnownToBeBehind(node)),
        ),
      call: ({ name, does }, _timeoutMs, done) => {
        const count = counts.get(name) ?? 0;
        counts.set(name, count + 1);
        notes.push(`call ${name}`);
        const action = does[Math.min(count, does.length - 1)];
        if (action === "responds") setImmediate(done, null, name);
        if (action === "is behind") setImmediate(done, null, `${name}, behind`);
        if (action === "fails") setImmediate(done, new ServiceError("unavailable", `${name} failed`));
        if (action === "refuses") setImmediate(done, new ServiceError("invalid", `${name} refused`));
        return () => notes.push(`cancel ${name}`);
      },
      late: ({ name }) => notes.push(`late ${name}`),
      isBehind: (_node, response) => response.endsWith("behind"),
      mayKnowMore: (node) => !isKnownToBeBehind(node),
    },
    times,
    () => new Error("no response"),
  );
  return { notes, outcome: response.catch((error: Error) => error.message) };
}

const isKnownToBeBehind = ({ does }: Scripted) => does.includes("is behind");

describe("callFirst", () => {
  const cases: readonly (readonly [name: string, nodes: Nodes, outcome: string, notes: string[]])[] = [
    ["calls one node if it responds", { a: ["responds"], b: ["responds"] }, "a", ["call a"]],
    ["calls another immediately if one fails", { a: ["fails"], b: ["responds"] }, "b", ["call a", "call b"]],
    [
      "calls another if one is late, and cancels the late call",
      { a: ["hangs"], b: ["responds"] },
      "b",
      ["call a", "late a", "call b", "cancel a"],
    ],
    [
      "calls a third if two are late",
      { a: ["hangs"], b: ["hangs"], c: ["responds"] },
      "c",
      ["call a", "late a", "call b", "late a", "late b", "call c", "cancel a", "cancel b"],
    ],
    [
      "calls again if all failed: one is back",
      { a: ["fails", "fails", "responds"], b: ["fails"] },
      "a",
      ["call a", "call b", "call a", "call b", "call a"],
    ],
    [
      "calls a failed one again while another hangs",
      { a: ["fails", "responds"], b: ["hangs"] },
      "a",
      ["call a", "call b", "late b", "call a", "cancel b"],
    ],
    [
      "asks a node that may know more than the one that responded",
      { a: ["is behind"], b: ["responds"] },
      "b",
      ["call a", "call b"],
    ],
    [
      "waits for a late node that may know more",
      { a: ["hangs"], b: ["is behind"], c: ["responds"] },
      "c",
      ["call a", "late a", "call b", "call c", "cancel a"],
    ],
    [
      "uses a response that is behind if the others are too",
      { a: ["is behind"], b: ["is behind"] },
      "a, behind",
      ["call a"],
    ],
    [
      "uses it if those that may know more fail",
      { a: ["is behind"], b: ["fails"], c: ["refuses"] },
      "a, behind",
      ["call a", "call b", "call c"],
    ],
    [
      "doesn't wait for another that is behind",
      { a: ["hangs", "is behind"], b: ["is behind"] },
      "b, behind",
      ["call a", "late a", "call b", "cancel a"],
    ],
    [
      "doesn't retry a request that every node refuses",
      { a: ["refuses"], b: ["refuses"] },
      "b refused",
      ["call a", "call b"],
    ],
  ];
  for (const [name, nodes, expected, expectedNotes] of cases) {
    it(name, async () => {
      const { notes, outcome } = call(nodes, { times: PATIENT });
      expect(await outcome).to.equal(expected);
      expect(notes).to.deep.equal(expectedNotes);
    });
  }

  it("fails in time if no node responds, and cancels the calls", async () => {
    const startedAt = performance.now();
    const { notes, outcome } = call({ a: ["hangs"] });
    expect(await outcome).to.equal("no response");
    expect(performance.now() - startedAt).to.be.at.least(TIMES.timeoutMs - 1);
    expect(notes[0]).to.equal("call a");
    expect(notes.at(-1)).to.equal("cancel a");
  });
  it("uses a response that is behind if the node that may know more doesn't respond in time", async () => {
    const { outcome } = call({ a: ["is behind"], b: ["hangs"] });
    expect(await outcome).to.equal("a, behind");
  });
  it("fails with the last failure if all fail", async () => {
    expect(await call({ a: ["fails"] }).outcome).to.equal("a failed");
  });
  it("fails in time if there are no nodes", async () => {
    expect(await call({}).outcome).to.equal("no response");
  });
  it("doesn't call a node that may be down only because another is late", async () => {
    const nodes: Nodes = { a: ["hangs"], b: ["responds"] };
    const { notes, outcome } = call(nodes, { doubtful: ["b"] });
    expect(await outcome).to.equal("no response");
    expect(notes).not.to.include("call b");
  });
});
