import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { startNatsServer } from "../../../../../../test/harness/nats-server.ts";
import { waitFor } from "../../../../../../test/harness/wait-for.ts";
import type { KeyEvent, KeyLog, KeyLogMark } from "../../../domain/key-event.ts";
import { openNats } from "../../../runtime/nats/connection.ts";
import { collector, keyEvent } from "../key-log.suite.ts";
import { openJetStreamKeyLog } from "./key-log.ts";

const DEADLINE_MS = 10_000;
const EVENTS = [keyEvent("a", 1), keyEvent("b", 1), keyEvent("a", 2)] as [KeyEvent, KeyEvent, KeyEvent];

describe("following the key log on JetStream from a mark", () => {
  const opened = new AsyncDisposableStack();
  let log: KeyLog;
  /** After the second event. */
  let mark: KeyLogMark;
  const warnings: string[] = [];
  before(async () => {
    const server = opened.use(await startNatsServer());
    const logger = pino({}, { write: (line) => void (line.includes('"level":40') && warnings.push(line)) });
    const nats = opened.use(openNats({ url: server.url, name: "test", log: logger }));
    log = opened.use(await openJetStreamKeyLog({ nats, replicas: 1, log: logger, registry: new Registry() }));
    for (const event of EVENTS) await log.append(event);
    const { received, follower } = collector();
    await log.follow(follower);
    mark = { epoch: received.epoch, sequence: 2, eventId: EVENTS[1].id };
  });
  after(() => opened.disposeAsync());
  beforeEach(() => {
    warnings.length = 0;
  });

  it("continues with the next event, then live", async () => {
    const { received, follower } = collector();
    await log.follow(follower, mark);
    expect(received).to.deep.include({ epochs: [], events: EVENTS.slice(2), sequences: [3], caughtUp: 1 });
    const next = keyEvent("b", 2);
    await log.append(next);
    await waitFor("the event", () => received.events.length === 2, DEADLINE_MS);
    expect(received.events[1]).to.deep.equal(next);
    expect(warnings).to.deep.equal([]);
  });

  it("catches up at once if the mark is the last event", async () => {
    const { received, follower } = collector();
    await log.follow(follower, { ...mark, sequence: 4, eventId: (await log.eventsOf("b"))[1]?.id ?? "" });
    expect(received).to.deep.include({ epochs: [], events: [], caughtUp: 1 });
  });

  const others: [what: string, change: Partial<KeyLogMark>][] = [
    ["another epoch", { epoch: "another" }],
    ["another event at its place", { eventId: EVENTS[0].id }],
    ["a place after the end", { sequence: 5 }],
    ["a place before the start", { sequence: 0 }],
    ["a place that can't exist", { sequence: -1 }],
  ];
  for (const [what, change] of others)
    it(`begins at the start if the log doesn't have the mark: ${what}`, async () => {
      const { received, follower } = collector();
      await log.follow(follower, { ...mark, ...change });
      expect(received.epochs).to.deep.equal([mark.epoch]);
      expect(received.events.slice(0, 3)).to.deep.equal(EVENTS);
      expect([received.sequences, received.caughtUp]).to.deep.equal([[1, 2, 3, 4], 1]);
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.include("the stored keys are not from this key log; reading all of it");
    });

  it("rereads the log if an event doesn't follow what the follower has", async () => {
    const { received, follower } = collector();
    const apply: typeof follower.apply = (event, sequence) =>
      received.epochs.length > 0 && follower.apply(event, sequence);
    await log.follow({ ...follower, apply }, mark);
    expect(received).to.deep.include({ epochs: [mark.epoch], sequences: [1, 2, 3, 4], caughtUp: 1 });
  });
});
