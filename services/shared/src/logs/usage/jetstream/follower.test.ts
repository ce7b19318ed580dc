import { expect } from "chai";
import { pino } from "pino";
import { startNatsServer } from "../../../../../../test/harness/nats-server.ts";
import { waitFor } from "../../../../../../test/harness/wait-for.ts";
import { type NatsLink, openNats } from "../../../runtime/nats/connection.ts";
import type { StreamReader } from "../../../runtime/nats/stream-reader.ts";
import { followUsageStream } from "./follower.ts";
import { linkUsageStream, type UsageStreamLink, usageStreamSettings } from "./stream.ts";

const quiet = pino({ level: "silent" });
const DEADLINE_MS = 15_000;

describe("a follower of a usage stream", () => {
  const opened = new AsyncDisposableStack();
  let nats: NatsLink;
  before(async () => {
    const server = opened.use(await startNatsServer());
    nats = opened.use(openNats({ url: server.url, name: "test", log: quiet }));
  });
  after(() => opened.disposeAsync());

  it("receives a message that was lost in transit, even if none follows", async () => {
    await nats.connected();
    const real = linkUsageStream(nats, usageStreamSettings(1));
    const stream = await real.connect();
    let lost = 0;
    let readers = 0;
    const losing = (reader: StreamReader): StreamReader => ({
      ...reader,
      async *batch(options) {
        for await (const message of reader.batch(options)) {
          if (readers === 1 && message.subject.endsWith(".2")) lost += 1;
          else yield message;
        }
      },
    });
    const link: UsageStreamLink = {
      ...real,
      connect: async () => ({
        ...stream,
        jetStream: {
          ...stream.jetStream,
          openReader: async (...parameters) => {
            readers += 1;
            return losing(await stream.jetStream.openReader(...parameters));
          },
        },
      }),
    };
    const subjects: string[] = [];
    const following = followUsageStream({
      ...{ nats, link, log: quiet, observer: { live() {}, lag() {} } },
      onMessage: ({ subject }) => subjects.push(subject),
    });
    try {
      await following.caughtUp;
      for (const shard of [1, 2]) await stream.jetStream.publish(`usage.20261101.a.${shard}`, "{}");
      await waitFor("the lost message", () => subjects.length === 2, DEADLINE_MS);
      expect([subjects, lost, readers]).to.deep.equal([["usage.20261101.a.1", "usage.20261101.a.2"], 1, 2]);
    } finally {
      await following[Symbol.asyncDispose]();
    }
  });
  it("has caught up after the messages that were replaced since it began, so that none of them seems to be new", async () => {
    await nats.connected();
    const real = linkUsageStream(nats, usageStreamSettings(1));
    const stream = await real.connect();
    const replaced = Array.from({ length: 20 }, (_, shard) => `usage.20261102.b.${shard}`);
    const publishAll = async () => {
      for (const subject of replaced) await stream.jetStream.publish(subject, "{}");
    };
    await publishAll();
    const openReader: typeof stream.jetStream.openReader = async (...parameters) => {
      await publishAll();
      return stream.jetStream.openReader(...parameters);
    };
    const link = { ...real, connect: async () => ({ ...stream, jetStream: { ...stream.jetStream, openReader } }) };
    const subjects: string[] = [];
    const following = followUsageStream({
      ...{ nats, link, log: quiet, observer: { live() {}, lag() {} } },
      onMessage: ({ subject }) => subjects.push(subject),
    });
    try {
      expect(await following.caughtUp.then(() => [...subjects])).to.include.members(replaced);
    } finally {
      await following[Symbol.asyncDispose]();
    }
  });
});
