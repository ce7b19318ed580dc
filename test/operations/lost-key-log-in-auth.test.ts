import { randomBytes } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newRingText } from "@geolookup/auth/signing/signing-ring.ts";
import { type AuthApi, type AuthProcess, startAuth, TOKEN } from "@geolookup/auth/testing/auth-process.ts";
import { keyStreamSettings } from "@geolookup/shared/logs/keys/jetstream/stream.ts";
import { KEY_ADMIN } from "@geolookup/shared/runtime/grpc/services.ts";
import { openNats } from "@geolookup/shared/runtime/nats/connection.ts";
import type { JetStream } from "@geolookup/shared/runtime/nats/jet-stream.ts";
import { expect } from "chai";
import { pino } from "pino";
import { logLines, waitForOutput } from "../harness/child.ts";
import { runHere } from "../harness/command.ts";
import { startNatsServer } from "../harness/nats-server.ts";
import { rejection } from "../harness/rejection.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

const DEADLINE_MS = 20_000;
const LOST = "key log lost events; keys can't be changed, and no key is called unknown";

describe("auth nodes whose key log is lost", function () {
  this.timeout(4 * DEADLINE_MS);
  const opened = new AsyncDisposableStack();
  let url: string;
  let jetStream: JetStream;
  let environment: Record<string, string>;
  let survivor: AuthProcess;
  let api: AuthApi;
  let active: string;
  let revoked: string;
  let neverSeen: string;
  const start = (DATA_DIR = tempFolder()) => opened.use(startAuth({ ...environment, DATA_DIR }));
  const lossOf = (auth: AuthProcess) => logLines(auth.stderr()).find(({ msg }) => msg === LOST);
  const outcomes = async (...keys: string[]) => {
    const { authorizations } = await api.authorize(...keys.map((key) => ({ key })));
    return authorizations.map(({ outcome }) => outcome);
  };

  before(async () => {
    ({ url } = opened.use(await startNatsServer()));
    const ring = join(tempFolder(), "signing-keys.json");
    writeFileSync(ring, newRingText(randomBytes), { mode: 0o600 });
    environment = { ADMIN_TOKEN: TOKEN, NATS_URL: url, SIGNING_KEYS_FILE: ring };
    const nats = opened.use(openNats({ url, name: "test", log: pino({ level: "silent" }) }));
    jetStream = await (await nats.connected()).jetStream(DEADLINE_MS);
    survivor = start();
    api = await survivor.ready();
    const [a, b] = [await api.issue(), await api.issue()];
    await api.admin(KEY_ADMIN.RevokeKey, { keyId: b.keyId, reason: "leaked" });
    [active, revoked] = [a.secret, b.secret];
  });
  after(() => opened.disposeAsync());

  for (const [what, recreate] of [
    ["is deleted", async () => undefined],
    ["is empty", () => jetStream.declareStream(keyStreamSettings(1))],
  ] as const)
    it(`keep their keys and refuse changes while the stream ${what}, and one that starts stays unready`, async () => {
      if (await jetStream.findStream("KEYS")) await jetStream.deleteStream("KEYS");
      await recreate();
      const started = start();
      await waitForOutput(started, "the loss", () => lossOf(started), DEADLINE_MS);
      expect(lossOf(started)?.reason).to.match(/^it ends at event 0, but .*another auth node had read event [3-9]/);
      expect(lossOf(started)?.waysOn).to.match(/.\/geolookup restore.*log --new/);
      expect(logLines(started.stderr()).some(({ msg }) => msg === "ready")).to.equal(false);
      await waitForOutput(survivor, "the same error", () => lossOf(survivor), DEADLINE_MS);
      expect(await outcomes(active, revoked)).to.deep.equal(["GRANTED", "REVOKED_KEY"]);
      const refusal = await rejection(api.issue());
      expect(refusal).to.include({ code: "unavailable" });
      expect(await (await fetch(`${api.opsUrl}/metrics`)).text()).to.match(/^geolookup_key_log_lost 1$/m);
      await started.stop();
    });

  it("don't call a key unknown that they have never seen", async () => {
    // Signed with the same signing keys, by another service.
    const other = opened.use(await startNatsServer());
    const stranger = opened.use(startAuth({ ...environment, NATS_URL: other.url, DATA_DIR: tempFolder() }));
    neverSeen = (await (await stranger.ready()).issue()).secret;
    await stranger.stop();
    expect(await outcomes(neverSeen, active)).to.deep.equal(["OUTCOME_UNSPECIFIED", "GRANTED"]);
  });

  it("wait on their own mark if all of them start, and a person's new log ends it", async () => {
    const folder = tempFolder();
    const last = start(folder);
    await waitForOutput(last, "the loss", () => lossOf(last), DEADLINE_MS);
    expect(readdirSync(folder)).to.deep.equal([]);
    const startNewLog = () => runHere(["keys", "log", "--new"], { NATS_URL: url });
    expect((await startNewLog()).status).to.equal(0);
    await last.ready();
    await waitFor("the survivor to follow it", async () => (await outcomes(active))[0] === "UNKNOWN_KEY", DEADLINE_MS);
    expect(await outcomes(active, revoked, neverSeen)).to.deep.equal(["UNKNOWN_KEY", "UNKNOWN_KEY", "UNKNOWN_KEY"]);
    const issued = await api.issue();
    expect(await outcomes(issued.secret)).to.deep.equal(["GRANTED"]);
    expect((await startNewLog()).stderr).to.match(/has events \([1-9]\); nothing was changed.*--force/);
    await waitFor("its mark", () => readdirSync(folder).includes("key-log-mark.json"), DEADLINE_MS);
    await Promise.all([last.stop(), survivor.stop()]);

    await jetStream.deleteStream("KEYS");
    const again = start(folder);
    await waitForOutput(again, "the loss", () => lossOf(again), DEADLINE_MS);
    expect(lossOf(again)?.reason).to.match(/this node had read event [1-9]/);
  });
});
