import { expect } from "chai";
import { pino } from "pino";
import { startNatsServer } from "../../../../test/harness/nats-server.ts";
import { startError } from "../../../../test/harness/rejection.ts";
import { openNats } from "../runtime/nats/connection.ts";
import type { JetStream } from "../runtime/nats/jet-stream.ts";
import { newKeyStreamSettings } from "./keys/jetstream/stream.ts";
import { setUpStreams } from "./set-up-streams.ts";

const ALL = ["AUDIT", "KEY_MARKS", "OPERATORS", "IDEMPOTENCY", "USAGE", "USAGE_MONTHS", "KEYS"];

describe("setUpStreams", () => {
  let opened: AsyncDisposableStack;
  let jetStream: JetStream;
  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    const server = opened.use(await startNatsServer({ isEmpty: true }));
    const nats = opened.use(openNats({ url: server.url, name: "test", log: pino({ level: "silent" }) }));
    jetStream = await (await nats.connected()).jetStream(5_000);
  });
  afterEach(() => opened.disposeAsync());

  it("creates all streams once, also after it was interrupted", async () => {
    expect(await setUpStreams(jetStream, { replicas: 1 })).to.deep.equal(ALL);
    const { created } = await jetStream.streamInfo("KEYS");
    expect(await setUpStreams(jetStream, { replicas: 1 })).to.deep.equal([]);
    expect((await jetStream.streamInfo("KEYS")).created).to.equal(created);
    await jetStream.deleteStream("KEYS");
    await jetStream.deleteStream("USAGE");
    expect(await setUpStreams(jetStream, { replicas: 1 })).to.deep.equal(["USAGE", "KEYS"]);
  });

  for (const [stream, subject] of [
    ["KEY_MARKS", "key-marks.auth.1"],
    ["AUDIT", "audit.1"],
    ["OPERATORS", "operators.alice"],
    ["USAGE", "usage.20260101.instance.1"],
    ["USAGE_MONTHS", "usage-months.202601.1"],
  ] as const)
    it(`doesn't create an empty key log while ${stream} shows that there was one, unless a person decides so`, async () => {
      await setUpStreams(jetStream, { replicas: 1 });
      await jetStream.publish(subject, "{}");
      await jetStream.deleteStream("KEYS");
      const refusal = await startError(() => setUpStreams(jetStream, { replicas: 1 }));
      expect(refusal)
        .to.include(`KEYS is missing, but ${stream} show`)
        .and.include("./geolookup restore")
        .and.include("--new");
      expect(await jetStream.findStream("KEYS")).to.equal(undefined);
      await jetStream.declareStream(newKeyStreamSettings(1));
      expect(await setUpStreams(jetStream, { replicas: 1 })).to.deep.equal([]);
    });
});
