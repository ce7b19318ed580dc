import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { startNatsServer } from "../../../../../../test/harness/nats-server.ts";
import { waitFor } from "../../../../../../test/harness/wait-for.ts";
import type { KeyLog } from "../../../domain/key-event.ts";
import { type NatsLink, openNats } from "../../../runtime/nats/connection.ts";
import { collector, keyEvent } from "../key-log.suite.ts";
import { openJetStreamKeyFeed } from "./feed.ts";
import { openJetStreamKeyLog } from "./key-log.ts";
import { encodeKeyMessage, finishRestore, unfinishedKeyStreamSettings } from "./stream.ts";

const DEADLINE_MS = 10_000;
const silent = pino({ level: "silent" });

describe("the key log on JetStream during a restore", () => {
  let opened: AsyncDisposableStack;
  let nats: NatsLink;
  let log: KeyLog;
  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    const server = opened.use(await startNatsServer());
    nats = opened.use(openNats({ url: server.url, name: "test", log: silent }));
    log = opened.use(await openJetStreamKeyLog({ nats, replicas: 1, log: silent, registry: new Registry() }));
  });
  afterEach(() => opened.disposeAsync());

  it("announces no key before all of them are restored, and accepts no event meanwhile", async () => {
    const { received, follower } = collector();
    await log.append(keyEvent("a", 1));
    await log.follow(follower);
    const epochs: string[] = [];
    const events: string[] = [];
    let isLive = false;
    const following = openJetStreamKeyFeed({ nats, log: silent, registry: new Registry() }).follow({
      reset: (epoch) => void epochs.push(epoch),
      event: ({ keyId }) => void events.push(keyId),
      live: (live) => {
        isLive = live;
      },
      complete: () => {},
    });
    await waitFor("the feed", () => isLive, DEADLINE_MS);

    const connection = await nats.connected();
    const jetStream = await connection.jetStream(DEADLINE_MS);
    await jetStream.deleteStream("KEYS");
    await jetStream.declareStream(unfinishedKeyStreamSettings(1));
    const put = (keyId: string) => jetStream.publish(`keys.${keyId}`, encodeKeyMessage(keyEvent(keyId, 1)));
    await put("a");
    await waitFor("the feed to be interrupted", () => !isLive, DEADLINE_MS);
    await waitFor(
      "appends to be refused",
      () =>
        log.append(keyEvent("c", 1)).then(
          () => false,
          (error: Error) => error.message.includes("being restored"),
        ),
      DEADLINE_MS,
    );
    await put("b");
    expect([received.events.length, received.epochs.length, epochs.length, events]).to.deep.equal([1, 1, 1, []]);

    await finishRestore(jetStream);
    await waitFor("the whole log", () => received.epochs.length === 2 && received.caughtUp === 1, DEADLINE_MS);
    expect(received.events.map(({ keyId }) => keyId)).to.include.members(["a", "b"]);
    await waitFor("the feed's new epoch", () => isLive && epochs.length === 2, DEADLINE_MS);
    await log.append(keyEvent("d", 1));
    await following[Symbol.asyncDispose]();
  });
});
