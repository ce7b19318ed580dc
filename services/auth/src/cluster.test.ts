import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { AUDIT, KEY_ADMIN, OPERATORS } from "@geolookup/shared/runtime/grpc/services.ts";
import { openNats } from "@geolookup/shared/runtime/nats/connection.ts";
import { expect } from "chai";
import { pino } from "pino";
import { type NatsServer, setUpNats, startNatsServer } from "../../../test/harness/nats-server.ts";
import { rejection } from "../../../test/harness/rejection.ts";
import { tempFolder } from "../../../test/harness/temp-folder.ts";
import { waitFor } from "../../../test/harness/wait-for.ts";
import { newRingText } from "./signing/signing-ring.ts";
import { type AuthApi, startAuth, TOKEN } from "./testing/auth-process.ts";

const DEADLINE_MS = 15_000;

describe("auth nodes on one NATS", () => {
  let server: NatsServer;
  let environment: Record<string, string>;
  const opened = new AsyncDisposableStack();
  let a: AuthApi;
  let b: AuthApi;
  const start = () => {
    return opened.use(startAuth(environment));
  };
  before(async () => {
    server = opened.use(await startNatsServer());
    const ring = join(tempFolder(), "signing-keys.json");
    writeFileSync(ring, newRingText(randomBytes), { mode: 0o600 });
    environment = {
      ADMIN_TOKEN: TOKEN,
      NATS_URL: server.url,
      SIGNING_KEYS_FILE: ring,
      DATA_DIR: tempFolder(),
    };
    [a, b] = await Promise.all([start().ready(), start().ready()]);
  });
  after(() => opened.disposeAsync());
  const isReady = async ({ opsUrl }: AuthApi) => (await fetch(`${opsUrl}/readyz`)).status === 200;

  it("share their keys, and report the same position in the log", async () => {
    const { secret, keyId } = await a.issue();
    const outcomeAtB = async () => (await b.authorize({ key: secret })).authorizations[0]?.outcome;
    await waitFor("the key at the other node", async () => (await outcomeAtB()) === "GRANTED", 1_000);
    await b.admin(KEY_ADMIN.RevokeKey, { keyId, reason: "test" });
    const revoked = async () => (await a.authorize({ key: secret })).authorizations[0]?.outcome === "REVOKED_KEY";
    await waitFor("the revocation at the other node", revoked, 1_000);
    const responses = [await a.authorize({ key: secret }), await b.authorize({ key: secret })];
    for (const { positionAgeMs } of responses) expect(positionAgeMs).to.be.within(0, 5_000);
    const [atA, atB] = responses.map((response) => ({ ...response, positionAgeMs: undefined }));
    expect(atA).to.deep.equal(atB);
    // Before them: the finished upgrade, and the plans.
    expect(atA).to.include({ sequence: 4 });
    expect(atA?.epoch).to.match(/^[0-9a-f-]{36}$/);
  });

  it("apply all of many concurrent changes of one key, one after the other", async () => {
    const { keyId } = await a.issue();
    await waitFor("the key at the other node", () => b.admin(KEY_ADMIN.GetKey, { keyId }), 1_000);
    const changes = Array.from({ length: 8 }, (_, i) =>
      (i % 2 === 0 ? a : b).admin(KEY_ADMIN.SetLabel, { keyId, label: `label ${i}` }),
    );
    await Promise.all(changes);
    const { events } = await b.admin(KEY_ADMIN.GetHistory, { keyId });
    expect(events.map(({ version }) => version)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(new Set(events.slice(1).map(({ dataJson }) => dataJson)).size).to.equal(8);
  });

  it("rotate a key only once, however many try at once", async () => {
    const { secret, keyId } = await a.issue();
    await waitFor("the key at the other node", () => b.admin(KEY_ADMIN.GetKey, { keyId }), 1_000);
    const rotations = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) =>
        (i % 2 === 0 ? a : b).admin(KEY_ADMIN.RotateKey, { keyId, overlapSeconds: 60 }),
      ),
    );
    const won = rotations.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    const lost = rotations.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    expect(won).to.have.length(1);
    const successor = won[0]?.key?.keyId ?? "";
    for (const error of lost)
      expect(error).to.include({ code: "precondition" }).and.property("message").include(successor);
    const outcomes = async ({ authorize }: AuthApi) =>
      (await authorize({ key: secret }, { key: won[0]?.secret ?? "" })).authorizations.map(({ outcome }) => outcome);
    for (const node of [a, b]) {
      const both = async () => (await outcomes(node)).every((outcome) => outcome === "GRANTED");
      await waitFor("both keys at each node", both, 1_000);
    }
    const changes = [a, b].map((node) =>
      node.admin(KEY_ADMIN.SetLabel, { keyId: successor, label: "x", expectedVersion: 1 }),
    );
    const changed = await Promise.allSettled(changes);
    expect(changed.map(({ status }) => status).sort()).to.deep.equal(["fulfilled", "rejected"]);
  });

  it("issue 1,000 prepared keys in seconds, even if both do", async () => {
    const keys = Array.from({ length: 1_000 }, () => ({ kind: "SECRET", plan: "free" }) as const);
    const startedMs = performance.now();
    const prepared = await a.admin(KEY_ADMIN.PrepareKeys, { keys });
    const requests = keys.map((key, index) => ({ ...key, ...prepared.keys[index] }));
    const [atA, atB] = await Promise.all([a, b].map((node) => node.admin(KEY_ADMIN.IssueKeys, { keys: requests })));
    expect(performance.now() - startedMs).to.be.below(20_000);
    expect(atA?.keys.map(({ keyId }) => keyId)).to.deep.equal(prepared.keys.map(({ keyId }) => keyId));
    expect(atB).to.deep.equal(atA);
    const { events } = await a.admin(KEY_ADMIN.GetHistory, { keyId: prepared.keys[500]?.keyId ?? "" });
    expect(events).to.have.length(1);
  });

  it("authorize from memory while NATS is down, refuse changes with a clear error, and recover", async () => {
    const { secret, keyId } = await a.issue();
    for (const signal of ["SIGKILL", "SIGSTOP"] as const) {
      await server.kill(signal);
      const lostMs = performance.now();
      const refusal = await rejection(a.admin(KEY_ADMIN.SetLabel, { keyId, label: signal }));
      expect(refusal).to.include({ code: "unavailable" });
      expect(refusal.message).to.match(/^the key log is unavailable/);
      const downMs = performance.now() - lostMs;
      const { authorizations, positionAgeMs } = await a.authorize({ key: secret });
      expect(authorizations).to.have.nested.property("[0].outcome", "GRANTED");
      expect(positionAgeMs, "says how old that is").to.be.at.least(Math.floor(downMs));
      expect(await isReady(a)).to.equal(true);
      const saysThatItIsBehind = async () => {
        const { message } = await rejection(a.admin(KEY_ADMIN.GetKey, { keyId: "key_of_another" }));
        return /isn't known here, and this auth node is \d+ s behind/.test(message);
      };
      await waitFor("an unknown key not to be called missing", saysThatItIsBehind, 10_000);
      if (signal === "SIGKILL") await server.restart();
      else await server.kill("SIGCONT");
      const works = () => a.admin(KEY_ADMIN.SetLabel, { keyId, label: `after ${signal}` });
      expect(await waitFor("changes to work again", works, 5_000)).to.include({ label: `after ${signal}` });
    }
  });

  it("serve keys without the streams of operators and of the audit trail, and use them once they exist", async () => {
    const nats = opened.use(openNats({ url: server.url, name: "test", log: pino({ level: "silent" }) }));
    const jetStream = await (await nats.connected()).jetStream(5_000);
    for (const stream of ["OPERATORS", "AUDIT"]) await jetStream.deleteStream(stream);
    const early = await start().ready();
    const { secret, keyId } = await early.issue();
    expect((await early.authorize({ key: secret })).authorizations).to.have.nested.property("[0].outcome", "GRANTED");
    for (const call of [
      early.admin(OPERATORS.AddOperator, { name: "alice", role: "viewer" }),
      early.admin(OPERATORS.WhoAmI, {}, `geo_op_${"a".repeat(40)}`),
      early.admin(AUDIT.ListEntries, {}),
    ])
      expect(await rejection(call)).to.include({ code: "unavailable" });
    await setUpNats(server.url);
    const add = () => early.admin(OPERATORS.AddOperator, { name: "alice", role: "viewer" });
    const { token } = await waitFor("the stream of operators", add, DEADLINE_MS);
    expect(await early.admin(OPERATORS.WhoAmI, {}, token)).to.include({ name: "alice" });
    const entries = async () => (await early.admin(AUDIT.ListEntries, { subject: keyId })).entries;
    await waitFor("the key's entry", async () => (await entries()).length === 1, DEADLINE_MS);
  });
});
