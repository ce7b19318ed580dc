import { jetstream } from "@nats-io/jetstream";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { type NatsServer, startNatsServer } from "../../../../../../test/harness/nats-server.ts";
import { rejection } from "../../../../../../test/harness/rejection.ts";
import { waitFor } from "../../../../../../test/harness/wait-for.ts";
import { type KeyEvent, type KeyLog, type KeyLogFollower, VersionConflict } from "../../../domain/key-event.ts";
import { type NatsLink, openNats } from "../../../runtime/nats/connection.ts";
import { collector, keyEvent } from "../key-log.suite.ts";
import { appendKeyEvent } from "./append.ts";
import { openJetStreamKeyLog } from "./key-log.ts";

const DEADLINE_MS = 10_000;

describe("poisoned messages in the key log on JetStream", () => {
  let opened: AsyncDisposableStack;
  let server: NatsServer;
  let link: NatsLink;
  let log: KeyLog;
  let errors: { msg: string; sequence?: number }[];
  let registry: Registry;

  const count = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values[0]?.value ?? 0;
  const publish = async (subject: string, data: string) =>
    jetstream((await link.connected()).raw).publish(subject, data);
  const keyIds = (events: readonly KeyEvent[]) => events.map(({ keyId, version }) => `${keyId}${version}`).join(" ");

  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    server = opened.use(await startNatsServer());
    errors = [];
    registry = new Registry();
    const logger = pino({ level: "error" }, { write: (line: string) => void errors.push(JSON.parse(line)) });
    link = opened.use(openNats({ url: server.url, name: "test", log: logger }));
    log = opened.use(await openJetStreamKeyLog({ nats: link, replicas: 1, log: logger, registry }));
  });
  afterEach(() => opened.disposeAsync());

  it("are set aside, counted and logged once, without affecting other messages", async () => {
    const { received, follower } = collector();
    const future = { ...keyEvent("a", 1), type: "KeyFrozen" };
    await log.follow(follower);
    await publish("keys.a", "\u0000\u0001 81.2.69.142");
    await publish("keys.a", "");
    await publish("keys.b", JSON.stringify(future));
    await publish("keys.c", JSON.stringify({ ...keyEvent("c", 1), format: 2 }));
    await publish("keys.d", JSON.stringify(keyEvent("e", 1)));
    await log.append(keyEvent("f", 1));
    await waitFor("the event after it", () => keyIds(received.events) === "f1", DEADLINE_MS);
    expect(await count("geolookup_key_log_messages_set_aside_total")).to.equal(5);
    await server.kill();
    await server.restart();
    await link.connected();
    await log.append(keyEvent("f", 2));
    await waitFor("the event after a restart", () => keyIds(received.events) === "f1 f2", DEADLINE_MS);
    expect(errors.map(({ sequence }) => sequence)).to.deep.equal([1, 2, 3, 4, 5]);
    expect(JSON.stringify(errors)).not.to.include("81.2.69");
    expect(keyIds(await log.eventsOf("a"))).to.equal("");
  });

  it("don't prevent changes of their key: garbage, an unknown type, a version from the future", async () => {
    await log.append(keyEvent("a", 1));
    await publish("keys.a", "garbage");
    expect(await log.append(keyEvent("a", 2))).to.equal(3);
    await publish("keys.a", "garbage");
    await publish("keys.a", JSON.stringify({ ...keyEvent("a", 3), type: "KeyFrozen" }));
    expect(await log.append(keyEvent("a", 3))).to.equal(6);
    await publish("keys.a", JSON.stringify(keyEvent("a", 1_000_000)));
    expect(await log.append(keyEvent("a", 4))).to.equal(8);
    expect(keyIds(await log.eventsOf("a"))).to.equal("a1 a2 a3 a4");
  });

  it("that don't follow their key's events cause one reread of the log, and are then skipped", async () => {
    const { received, follower } = collector();
    const versions = new Map<string, number>();
    const strict: KeyLogFollower = {
      restart: (epoch) => {
        versions.clear();
        follower.restart(epoch);
      },
      apply: (event, sequence) => {
        const isDue = event.version === (versions.get(event.keyId) ?? 0) + 1;
        if (isDue) versions.set(event.keyId, event.version);
        if (isDue) follower.apply(event, sequence);
        return isDue;
      },
      caughtUp: follower.caughtUp,
    };
    await log.append(keyEvent("a", 1));
    await log.follow(strict);
    await publish("keys.a", JSON.stringify(keyEvent("a", 7)));
    await waitFor("the reread", () => received.epochs.length === 2 && received.caughtUp === 1, DEADLINE_MS);
    await publish("keys.b", JSON.stringify(keyEvent("b", 1)));
    await waitFor("the event after it", () => keyIds(received.events) === "a1 b1", DEADLINE_MS);
    expect(new Set(received.epochs).size, "the log itself is the same").to.equal(1);
    expect(await count("geolookup_key_log_rereads_total")).to.equal(1);
    expect(await count("geolookup_key_log_messages_set_aside_total")).to.equal(1);
  });

  it("of any number don't slow down or prevent a change of their key, and are logged within a budget", async () => {
    const { received, follower } = collector();
    await log.append(keyEvent("a", 1));
    await log.follow(follower);
    const connection = (await link.connected()).raw;
    const junk = 40_000;
    for (let number = 0; number < junk; number++) {
      connection.publish("keys.a", `{"stream":"USAGE","seq":${number}}`);
      if (number % 1_000 === 0) await connection.flush();
    }
    const isFolded = async () => (await count("geolookup_key_log_messages_set_aside_total")) === junk;
    await waitFor("the followers", isFolded, DEADLINE_MS);
    const startedMs = performance.now();
    expect(await log.append(keyEvent("a", 2))).to.equal(junk + 2);
    expect(performance.now() - startedMs).to.be.below(1_000);
    await waitFor("the event", () => keyIds(received.events) === "a1 a2", DEADLINE_MS);
    // Another writer's event that this one hasn't seen yet still counts.
    expect(await rejection(appendKeyEvent(link, keyEvent("a", 2), junk + 1))).to.be.instanceOf(VersionConflict);
    expect(errors.length).to.be.below(15);
  });
});
