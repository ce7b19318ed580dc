import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { pino } from "pino";
import { type NatsServer, startNatsServer } from "../../../../../test/harness/nats-server.ts";
import { rejection } from "../../../../../test/harness/rejection.ts";
import { tempFolder } from "../../../../../test/harness/temp-folder.ts";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { openNats } from "../../runtime/nats/connection.ts";
import { OPERATOR_STREAM, openJetStreamOperatorLog, operatorStreamSettings } from "./jet-stream.ts";
import { describeOperatorLog, followed, operatorEvent } from "./operator-log.suite.ts";

const silent = pino({ level: "silent" });
const DEADLINE_MS = 10_000;

async function open(server: NatsServer) {
  await using opened = new AsyncDisposableStack();
  const nats = opened.use(openNats({ url: server.url, name: "test", log: silent }));
  const log = opened.use(openJetStreamOperatorLog({ nats, replicas: 1, log: silent }));
  await nats.connected();
  const held = opened.move();
  return { ...log, nats, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

describeOperatorLog("JetStream", async () => {
  const server = await startNatsServer();
  return { open: () => open(server), writers: 3, remove: () => server.kill() };
});

describe("the stream of operators", () => {
  let opened: AsyncDisposableStack;
  let server: NatsServer;
  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    server = opened.use(await startNatsServer());
  });
  afterEach(() => opened.disposeAsync());
  const openOne = async () => opened.use(await open(server));
  const jetStreamOf = async ({ nats }: Awaited<ReturnType<typeof open>>) => (await nats.connected()).jetStream(5_000);

  it("is followed again after NATS was killed, and refuses changes until then", async () => {
    const log = await openOne();
    const ids = await followed(log);
    await log.append(operatorEvent("alice", 1));
    await server.kill("SIGKILL");
    expect(await rejection(log.append(operatorEvent("bob", 1)))).to.include({ code: "unavailable" });
    expect(await rejection(log.refresh())).to.include({ code: "unavailable" });
    await waitFor("its age", () => log.ageMs() > 1_500, DEADLINE_MS);
    await server.restart();
    await waitFor("a change", () => log.append(operatorEvent("carol", 1)).then(() => true), DEADLINE_MS);
    expect(ids).to.have.length(2);
    await waitFor("its age", () => log.ageMs() < 1_500, DEADLINE_MS);
  });

  it("isn't followed if it lost messages, until a person creates a new one", async () => {
    const log = await openOne();
    const ids = await followed(log);
    await log.append(operatorEvent("alice", 1));
    await log.append(operatorEvent("alice", 2));
    await server.stop();
    const [store, copy] = [join(server.folder, "jetstream"), join(tempFolder(), "copy")];
    cpSync(store, copy, { recursive: true });
    await server.restart();
    await waitFor("a change", () => log.append(operatorEvent("alice", 3)).then(() => true), DEADLINE_MS);
    await server.kill("SIGKILL");
    rmSync(store, { recursive: true });
    cpSync(copy, store, { recursive: true });
    await server.restart();
    await waitFor("the stream", async () => (await jetStreamOf(log)).streamInfo(OPERATOR_STREAM), DEADLINE_MS);
    await waitFor("its age", () => log.ageMs() > 4_000, DEADLINE_MS);
    expect(ids, "what was read").to.have.length(3);
    const jetStream = await jetStreamOf(log);
    await jetStream.deleteStream(OPERATOR_STREAM);
    await jetStream.declareStream(operatorStreamSettings(1));
    await waitFor("the new one", () => ids.length === 0 && log.ageMs() < 1_500, DEADLINE_MS);
  });
});
