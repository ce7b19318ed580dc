import { jetstreamManager } from "@nats-io/jetstream";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { type NatsServer, startNatsServer } from "../../../../../../test/harness/nats-server.ts";
import { waitFor } from "../../../../../../test/harness/wait-for.ts";
import type { KeyEvent } from "../../../domain/key-event.ts";
import { type NatsLink, openNats } from "../../../runtime/nats/connection.ts";
import { openJetStreamUsageLog } from "../../usage/jetstream/usage-log.ts";
import { collector, keyEvent } from "../key-log.suite.ts";
import { openJetStreamKeyFeed } from "./feed.ts";
import { openJetStreamKeyLog } from "./key-log.ts";

const DEADLINE_MS = 15_000;
/** With this delay for each message, a follower is behind during several checks of the stream. */
const SLOW_MS = 10;
const MESSAGES = 300;
const quiet = pino({ level: "silent" });

describe("the metrics of followed logs on JetStream", () => {
  let server: NatsServer;
  let link: NatsLink;
  let registry: Registry;
  let opened: AsyncDisposableStack;
  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    server = opened.use(await startNatsServer());
    link = opened.use(openNats({ url: server.url, name: "test", log: quiet }));
    await link.connected();
    registry = new Registry();
  });
  afterEach(() => opened.disposeAsync());

  const metric = async (name: string, stream?: string) => {
    const { values = [] } = (await registry.getSingleMetric(name)?.get()) ?? {};
    return values.find(({ labels }) => labels.stream === stream)?.value;
  };
  const becomes = (name: string, value: number, stream?: string) =>
    waitFor(`${name} to be ${value}`, async () => (await metric(name, stream)) === value, DEADLINE_MS);
  const openUsage = () => opened.use(openJetStreamUsageLog({ nats: link, replicas: 1, log: quiet, registry }));
  const publish = (log: ReturnType<typeof openUsage>, instanceId: string) =>
    log.publish({ day: "2026-05-02", instanceId, shard: 1 }, new Map([["k", 1]]));
  const openKeys = async (registry: Registry) =>
    opened.use(await openJetStreamKeyLog({ nats: link, replicas: 1, log: quiet, registry }));
  const work = () => {
    const endMs = performance.now() + SLOW_MS;
    while (performance.now() < endMs);
  };

  it("usage: the lag of its follower, and whether it is connected", async function () {
    this.timeout(60_000);
    const log = openUsage();
    await Promise.all(Array.from({ length: MESSAGES }, (_, index) => publish(log, `instance${index}`)));
    expect(registry.getSingleMetric("geolookup_usage_log_live"), "for a log that only publishes").to.equal(undefined);
    const following = log.follow(work);
    await waitFor(
      "it to be behind",
      async () => Number(await metric("geolookup_usage_log_lag_messages", "USAGE")) > 0,
      DEADLINE_MS,
    );
    await following;
    await becomes("geolookup_usage_log_lag_messages", 0, "USAGE");
    await becomes("geolookup_usage_log_live", 1, "USAGE");
    await server.kill();
    await becomes("geolookup_usage_log_live", 0, "USAGE");
    await server.restart();
    await becomes("geolookup_usage_log_live", 1, "USAGE");
  });

  it("usage: removed messages don't count as lag", async function () {
    this.timeout(30_000);
    const log = openUsage();
    await publish(log, "boot1");
    await publish(log, "boot2");
    const manager = await jetstreamManager((await link.connected()).raw);
    await manager.streams.deleteMessage("USAGE", 2);
    let received = 0;
    const followed = openUsage();
    await followed.follow(() => {
      received += 1;
    });
    await becomes("geolookup_usage_log_lag_messages", 0, "USAGE");
    expect(received).to.equal(1);
  });

  it("keys: the lag of auth", async () => {
    const writer = await openKeys(new Registry());
    for (const id of ["a", "b", "c"]) await writer.append(keyEvent(id, 1));
    const log = await openKeys(registry);
    const { follower } = collector();
    let undelivered: Promise<number | undefined> | undefined;
    const apply = (event: KeyEvent, sequence: number) => {
      undelivered ??= metric("geolookup_key_log_lag_messages");
      return follower.apply(event, sequence);
    };
    await log.follow({ ...follower, apply });
    expect(await undelivered, "at the first event").to.equal(3);
    await becomes("geolookup_key_log_lag_messages", 0);
  });

  it("keys: the lag of a gateway", async () => {
    const writer = await openKeys(new Registry());
    await writer.append(keyEvent("a", 1));
    let events = 0;
    const event = () => {
      events += 1;
    };
    const follower = { event, reset: () => {}, live: () => {}, complete: () => {} };
    opened.use(openJetStreamKeyFeed({ nats: link, log: quiet, registry }).follow(follower));
    await becomes("geolookup_key_log_lag_messages", 0);
    await writer.append(keyEvent("b", 1));
    await waitFor("its event", () => events === 1, DEADLINE_MS);
    await becomes("geolookup_key_log_lag_messages", 0);
  });
});
