import { hash, randomBytes } from "node:crypto";
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
import { mintKey } from "./signing/signature.ts";
import { newRingText, parseRing } from "./signing/signing-ring.ts";
import { type AuthProcess, startAuth, TOKEN } from "./testing/auth-process.ts";

const KEYS = 10_000;
const DEADLINE_MS = 20_000;

describe("auth with a key snapshot", () => {
  const opened = new AsyncDisposableStack();
  let server: NatsServer;
  let environment: Record<string, string>;
  let snapshot: string;
  /** Full keys that are in the snapshot. */
  let kept: string;
  let changed: string;
  const start = () => opened.use(startAuth(environment));
  const lineOf = (auth: AuthProcess, message: string) => logLines(auth.stderr()).find(({ msg }) => msg === message);
  before(async () => {
    server = opened.use(await startNatsServer());
    const folder = tempFolder();
    const ring = join(folder, "signing-keys.json");
    const ringText = newRingText(randomBytes);
    writeFileSync(ring, ringText, { mode: 0o600 });
    const { active } = parseRing(ringText);
    [kept, changed] = [mintKey("secret", active, randomBytes), mintKey("secret", active, randomBytes)];
    await publishKeys(server.url, [kept, changed]);
    environment = { ADMIN_TOKEN: TOKEN, NATS_URL: server.url, SIGNING_KEYS_FILE: ring, DATA_DIR: folder };
    snapshot = join(folder, "keys.snapshot");
  });
  after(() => opened.disposeAsync());

  it("writes it, and reads only newer events at the next start", async () => {
    const first = start();
    const { admin, issue } = await first.ready();
    await waitForOutput(first, "the snapshot", () => lineOf(first, "key snapshot written"), DEADLINE_MS);
    expect(lineOf(first, "key snapshot read")).to.equal(undefined);
    await admin(KEY_ADMIN.RevokeKey, { keyId: "key_1", reason: "leaked" });
    const added = await issue();
    await first.stop();

    const second = start();
    const { authorize } = await second.ready();
    expect(lineOf(second, "key snapshot read")).to.include({ keys: KEYS, sequence: KEYS + 1 });
    const { authorizations, sequence } = await authorize(...[kept, changed, added.secret].map((key) => ({ key })));
    expect(authorizations.map(({ outcome }) => outcome)).to.deep.equal(["GRANTED", "REVOKED_KEY", "GRANTED"]);
    // With the plans, which the first start recorded.
    expect(sequence).to.equal(KEYS + 3);
    await second.stop();
  });

  it("reads the whole log if the snapshot is damaged", async () => {
    const text = readFileSync(snapshot, "utf8");
    writeFileSync(snapshot, text.replace('"free"', '"paid"'));
    const damaged = start();
    await damaged.ready();
    expect(lineOf(damaged, "key snapshot ignored; reading the whole key log")).to.include({ level: "warn" });
    await damaged.stop();
    writeFileSync(snapshot, text);
  });

  it("reads no log that lacks the snapshot's events until a person decides", async () => {
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

/** Publishes as many events as a snapshot needs. @param keys the first ones, `key_0` and so on; the others are invented. */
async function publishKeys(url: string, keys: readonly string[]): Promise<void> {
  const nats = openNats({ url, name: "test", log: pino({ level: "silent" }) });
  const jetStream = await (await nats.connected()).jetStream(DEADLINE_MS);
  const publish = (number: number) => {
    const keySha256 = hash("sha256", keys[number] ?? `${number}`);
    const keyId = `key_${number}`;
    const data = { kind: "secret", plan: "free", label: "", origins: [], keySha256, display: "geo_sk_…abcd" };
    const envelope = { id: keyId, keyId, version: 1, at: "2026-01-02T03:04:05.678Z", by: "test" };
    return jetStream.publish(`keys.${keyId}`, JSON.stringify({ ...envelope, type: "KeyIssued", data }));
  };
  for (let from = 0; from < KEYS; from += 1_000)
    await Promise.all(Array.from({ length: 1_000 }, (_, i) => publish(from + i)));
  await nats[Symbol.asyncDispose]();
}
