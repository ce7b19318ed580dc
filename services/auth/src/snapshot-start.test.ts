import { createHash, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newKeyStreamSettings } from "@geolookup/shared/logs/keys/jetstream/stream.ts";
import { KEY_ADMIN } from "@geolookup/shared/runtime/grpc/services.ts";
import { openNats } from "@geolookup/shared/runtime/nats/connection.ts";
import { expect } from "chai";
import { pino } from "pino";
import { logLines, waitForOutput } from "../../../test/harness/child.ts";
import { type NatsServer, startNatsServer } from "../../../test/harness/nats-server.ts";
import { tempFolder } from "../../../test/harness/temp-folder.ts";
import { newRingText } from "./signing/signing-ring.ts";
import { type AuthProcess, startAuth, TOKEN } from "./testing/auth-process.ts";

const KEYS = 10_000;
const DEADLINE_MS = 20_000;

describe("auth with a key snapshot", () => {
  const opened = new AsyncDisposableStack();
  let server: NatsServer;
  let environment: Record<string, string>;
  let snapshot: string;
  const start = () => opened.use(startAuth(environment));
  const lineOf = (auth: AuthProcess, message: string) => logLines(auth.stderr()).find(({ msg }) => msg === message);
  before(async () => {
    server = opened.use(await startNatsServer());
    const folder = tempFolder();
    const ring = join(folder, "signing-keys.json");
    writeFileSync(ring, newRingText(randomBytes), { mode: 0o600 });
    environment = { ADMIN_TOKEN: TOKEN, NATS_URL: server.url, SIGNING_KEYS_FILE: ring, DATA_DIR: folder };
    snapshot = join(folder, "keys.snapshot");
  });
  after(() => opened.disposeAsync());

  it("writes it, and reads only newer events at the next start", async () => {
    const first = start();
    const { issue } = await first.ready();
    const [kept, changed] = [await issue(), await issue()];
    await publishKeys(server.url);
    await first.stop();

    const second = start();
    await second.ready();
    await waitForOutput(second, "the snapshot", () => lineOf(second, "key snapshot written"), DEADLINE_MS);
    expect(lineOf(second, "key snapshot read")).to.equal(undefined);
    await second.stop();

    const third = start();
    const api = await third.ready();
    expect(lineOf(third, "key snapshot read")).to.include({ keys: KEYS + 2, sequence: KEYS + 3 });
    await api.admin(KEY_ADMIN.RevokeKey, { keyId: changed.keyId, reason: "leaked" });
    const added = await api.issue();
    await third.stop();

    const fourth = start();
    const { authorize } = await fourth.ready();
    expect(lineOf(fourth, "key snapshot read")).to.include({ keys: KEYS + 2 });
    const { authorizations, sequence } = await authorize(
      ...[kept, changed, added].map(({ secret }) => ({ key: secret })),
    );
    expect(authorizations.map(({ outcome }) => outcome)).to.deep.equal(["GRANTED", "REVOKED_KEY", "GRANTED"]);
    expect(sequence).to.equal(KEYS + 5);
    await fourth.stop();
  });

  it("reads the whole log if the snapshot is damaged, and none that lacks its events until a person decides", async () => {
    const text = readFileSync(snapshot, "utf8");
    writeFileSync(snapshot, text.replace('"free"', '"paid"'));
    const damaged = start();
    await damaged.ready();
    expect(lineOf(damaged, "key snapshot ignored; reading the whole key log")).to.include({ level: "warn" });
    await damaged.stop();

    writeFileSync(snapshot, text);
    const nats = opened.use(openNats({ url: server.url, name: "test", log: pino({ level: "silent" }) }));
    const jetStream = await (await nats.connected()).jetStream(DEADLINE_MS);
    await jetStream.deleteStream("KEYS");
    const replaced = start();
    const lost = "key log lost events; keys can't be changed, and no key is called unknown";
    await waitForOutput(replaced, "the loss", () => lineOf(replaced, lost), DEADLINE_MS);
    expect(lineOf(replaced, "ready"), "without a person's decision").to.equal(undefined);
    expect(lineOf(replaced, lost))
      .to.include({ level: "error" })
      .and.have.property("waysOn")
      .that.includes("log --new");
    if (await jetStream.findStream("KEYS")) await jetStream.deleteStream("KEYS");
    await jetStream.declareStream(newKeyStreamSettings(1));
    const { opsUrl } = await replaced.ready();
    expect(lineOf(replaced, "the stored keys are not from this key log; reading all of it")).to.include({
      level: "warn",
    });
    expect(await (await fetch(`${opsUrl}/metrics`)).text()).to.include('geolookup_auth_keys{status="active"} 0');
    await replaced.stop();
  });
});

async function publishKeys(url: string): Promise<void> {
  const nats = openNats({ url, name: "test", log: pino({ level: "silent" }) });
  const jetStream = await (await nats.connected()).jetStream(DEADLINE_MS);
  const publish = (number: number) => {
    const keySha256 = createHash("sha256").update(`${number}`).digest("hex");
    const keyId = `key_${number}`;
    const data = { kind: "secret", plan: "free", label: "", origins: [], keySha256, display: "geo_sk_…abcd" };
    const envelope = { id: keyId, keyId, version: 1, at: "2026-01-02T03:04:05.678Z", by: "test" };
    return jetStream.publish(`keys.${keyId}`, JSON.stringify({ ...envelope, type: "KeyIssued", data }));
  };
  for (let from = 0; from < KEYS; from += 1_000)
    await Promise.all(Array.from({ length: 1_000 }, (_, i) => publish(from + i)));
  await nats[Symbol.asyncDispose]();
}
