import { expect } from "chai";
import { pino } from "pino";
import { type NatsServer, startNatsServer } from "../../../../../test/harness/nats-server.ts";
import { rejection } from "../../../../../test/harness/rejection.ts";
import { type NatsLink, openNats } from "../../runtime/nats/connection.ts";
import { setUpStreams } from "../set-up-streams.ts";
import { auditEntry, describeAuditLog, listAll } from "./audit-log.suite.ts";
import { AUDIT_STREAM, openJetStreamAuditLog } from "./jet-stream.ts";

const DAY_MS = 86_400_000;

async function open(server: NatsServer) {
  const nats = openNats({ url: server.url, name: "test", log: pino({ level: "silent" }) });
  await nats.connected();
  return { ...openJetStreamAuditLog(nats), nats, [Symbol.asyncDispose]: () => nats[Symbol.asyncDispose]() };
}

describeAuditLog("JetStream", async () => {
  const server = await startNatsServer();
  return { open: () => open(server), remove: () => server.kill() };
});

describe("the stream of the audit trail", () => {
  it("keeps entries as long as the setup step says", async () => {
    await using server = await startNatsServer();
    await using log = await open(server);
    await log.append([auditEntry(1)], {});
    const jetStream = await (await log.nats.connected()).jetStream(5_000);
    const retention = async () =>
      ((await jetStream.streamInfo(AUDIT_STREAM)).config as unknown as { max_age: number }).max_age / 1e6 / DAY_MS;
    expect(await retention()).to.equal(400);
    await setUpStreams(jetStream, { replicas: 1, auditRetentionMs: 30 * DAY_MS });
    expect(await retention()).to.equal(30);
    expect(await listAll(log)).to.have.length(1);
  });

  it("is never listed with a gap: NATS must send what it announced", async () => {
    const reader = {
      pending: 2,
      async *batch() {
        const data = Buffer.from(JSON.stringify({ entry: auditEntry(1), positions: {} }));
        yield { seq: 1, subject: "audit.event-1", data, info: { timestampNanos: 0 } };
      },
      delete: async () => undefined,
    };
    const jetStream = {
      streamInfo: async () => ({ state: { first_seq: 1, last_seq: 2 } }),
      openReader: async () => reader,
    };
    const nats = { isUp: () => true, connected: async () => ({ jetStream: async () => jetStream }) };
    await using log = openJetStreamAuditLog(nats as unknown as NatsLink);
    expect(await rejection(listAll(log))).to.include({ code: "unavailable" });
  });

  it("refuses entries while NATS is down, and has each once when they are appended again", async () => {
    await using server = await startNatsServer();
    await using log = await open(server);
    await log.append([auditEntry(1)], {});
    await server.kill("SIGKILL");
    const entries = [auditEntry(1), auditEntry(2)];
    expect(await rejection(log.append(entries, {}))).to.include({ code: "unavailable" });
    await server.restart();
    await log.nats.connected();
    expect(await log.append(entries, {})).to.deep.equal([auditEntry(2)]);
    expect(await listAll(log)).to.have.length(2);
  });
});
