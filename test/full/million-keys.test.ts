import { createHash, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newRingText } from "@geolookup/auth/signing/signing-ring.ts";
import { openJetStreamKeyLog } from "@geolookup/shared/logs/keys/jetstream/key-log.ts";
import { openNats } from "@geolookup/shared/runtime/nats/connection.ts";
import type { JetStream } from "@geolookup/shared/runtime/nats/jet-stream.ts";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { type NatsServer, startNatsServer } from "../harness/nats-server.ts";
import { startService } from "../harness/service.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const KEYS = 1_000_000;
/** Half again as much as was measured, garbage included. */
const MAX_BYTES_PER_KEY = 1_000;
/** Five times as long as was measured, for machines that do other things. */
const READY_TIMEOUT_MS = 240_000;
const PUBLISH_TIMEOUT_MS = 30_000;
const IN_FLIGHT = 2_000;

/** Auth once it is ready: what that took, its keys, and its memory in bytes. */
interface Measured {
  readyMs: number;
  cpuSeconds: number;
  keys: number;
  residentBytes: number;
}

describe("auth with a million keys", () => {
  let server: NatsServer;
  let ring: string;
  let dataDir: string;
  const measure = async (): Promise<Measured> => {
    const startedMs = performance.now();
    await using auth = startService("auth", {
      ADMIN_TOKEN: "a-token-of-some-length",
      DATA_DIR: dataDir,
      NATS_URL: server.url,
      SIGNING_KEYS_FILE: ring,
    });
    const { opsPort } = await auth.ready(READY_TIMEOUT_MS);
    const readyMs = performance.now() - startedMs;
    const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
    const value = (name: string) =>
      Number(
        metrics
          .split("\n")
          .find((line) => line.startsWith(`${name} `))
          ?.split(" ")[1],
      );
    await auth.stop();
    return {
      readyMs,
      cpuSeconds: value("process_cpu_seconds_total"),
      keys: value('geolookup_auth_keys{status="active"}'),
      residentBytes: value("process_resident_memory_bytes"),
    };
  };

  before(async () => {
    server = await startNatsServer();
    dataDir = tempFolder();
    ring = join(dataDir, "signing-keys.json");
    writeFileSync(ring, newRingText(randomBytes), { mode: 0o600 });
  });
  after(() => server.kill());

  it("reads them all at its start, and needs at most 1,000 bytes for each", async () => {
    const empty = await measure();
    await issueKeys();
    const full = await measure();
    const bytesPerKey = Math.round((full.residentBytes - empty.residentBytes) / KEYS);
    const took = ({ readyMs, cpuSeconds }: Measured) =>
      `${Math.round(readyMs)} ms, ${cpuSeconds.toFixed(1)} s of CPU time`;
    process.stdout.write(
      `      ready after ${took(full)}; without keys ${took(empty)}; ${bytesPerKey} bytes per key\n`,
    );
    expect(full.keys).to.equal(KEYS);
    expect(bytesPerKey).to.be.below(MAX_BYTES_PER_KEY);
  });

  /** Publishes events directly, because `append` fetches each key's last event. */
  async function issueKeys(): Promise<void> {
    const nats = openNats({ url: server.url, name: "test", log: pino({ level: "silent" }) });
    const log = pino({ level: "silent" });
    const keyLog = await openJetStreamKeyLog({ nats, replicas: 1, log, registry: new Registry() });
    const jetStream = await (await nats.connected()).jetStream(PUBLISH_TIMEOUT_MS);
    for (let start = 0; start < KEYS; start += IN_FLIGHT)
      await Promise.all(Array.from({ length: IN_FLIGHT }, (_, i) => publishIssue(jetStream, start + i)));
    await keyLog[Symbol.asyncDispose]();
    await nats[Symbol.asyncDispose]();
  }
});

async function publishIssue(jetStream: JetStream, number: number): Promise<void> {
  const keySha256 = createHash("sha256").update(`key ${number}`).digest("hex");
  const keyId = `key_${keySha256.slice(0, 12)}`;
  const event = {
    id: `${keySha256.slice(0, 8)}-0000-4000-8000-${keySha256.slice(8, 20)}`,
    keyId,
    version: 1,
    at: new Date(Date.UTC(2026, 0, 1) + number * 1_000).toISOString(),
    by: "admin",
    type: "KeyIssued",
    data: {
      kind: number % 2 === 0 ? "secret" : "publishable",
      plan: number % 3 === 0 ? "paid" : "free",
      label: `Shop ${number}`,
      origins: number % 2 === 0 ? [] : [`https://shop-${number}.example`],
      keySha256,
      display: `geo_${number % 2 === 0 ? "sk" : "pk"}_…${keySha256.slice(0, 4)}`,
    },
  };
  await jetStream.publish(`keys.${keyId}`, JSON.stringify(event));
}
