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
import { logLines, startChild, waitForOutput } from "../harness/child.ts";
import { type NatsServer, startNatsServer } from "../harness/nats-server.ts";
import { type ServiceProcess, startService } from "../harness/service.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const KEYS = 1_000_000;
/** The maximum time of a start with a snapshot of the keys, relative to only reading the stream's messages. Only reported. */
const READY_GOAL = 1.3;
const ROUNDS = 3;
const BYTES_A_KEY = 500;
const SNAPSHOT_TIMEOUT_MS = 60_000;
const PUBLISH_TIMEOUT_MS = 30_000;
const IN_FLIGHT = 2_000;

/** The memory of auth once it is ready, in bytes, and how long that took. */
interface Measured {
  readyMs: number;
  keysFromSnapshot: number;
  residentBytes: number;
  heapBytes: number;
}

describe("auth with a million keys", () => {
  let server: NatsServer;
  let ring: string;
  let dataDir: string;
  /** @param whenReady what to wait for before stopping. */
  const measure = async (whenReady?: (auth: ServiceProcess) => Promise<unknown>): Promise<Measured> => {
    const startedMs = performance.now();
    const auth = startService("auth", {
      ADMIN_TOKEN: "a-token-of-some-length",
      DATA_DIR: dataDir,
      NATS_URL: server.url,
      SIGNING_KEYS_FILE: ring,
    });
    const { opsPort } = await auth.ready();
    const readyMs = performance.now() - startedMs;
    const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
    const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1]);
    const measured = {
      readyMs,
      keysFromSnapshot: Number(lineOf(auth, "key snapshot read")?.keys ?? 0),
      residentBytes: value("process_resident_memory_bytes"),
      heapBytes: value("nodejs_heap_size_used_bytes"),
    };
    await whenReady?.(auth);
    await auth.stop();
    return measured;
  };

  before(async () => {
    server = await startNatsServer();
    dataDir = tempFolder();
    ring = join(dataDir, "signing-keys.json");
    writeFileSync(ring, newRingText(randomBytes), { mode: 0o600 });
  });
  after(() => server.kill());

  /** @returns the milliseconds that a process takes to only read the keys. */
  const read = async () => {
    const startedMs = performance.now();
    const reader = startChild("test/full/read-keys.ts", [], { NATS_URL: server.url });
    expect(await reader.exited, reader.stderr()).to.equal(0);
    return performance.now() - startedMs;
  };

  it("needs at most 500 bytes per key, and reports how long it takes to be ready", async () => {
    const empty = await measure();
    await issueKeys();
    const isWritten = (auth: ServiceProcess) => () => lineOf(auth, "key snapshot written");
    const first = await measure((auth) => waitForOutput(auth, "the snapshot", isWritten(auth), SNAPSHOT_TIMEOUT_MS));
    const bytesAKey = (name: "residentBytes" | "heapBytes", full: Measured) =>
      Math.round((full[name] - empty[name]) / KEYS);
    expect(bytesAKey("residentBytes", first), "bytes per key at the first start").to.be.below(BYTES_A_KEY);

    const firstRatio = first.readyMs / (await read());
    const ratios: number[] = [];
    let full = first;
    for (let round = 0; round < ROUNDS; round++) {
      const readMs = await read();
      full = await measure();
      expect(full.keysFromSnapshot).to.equal(KEYS);
      ratios.push(full.readyMs / readMs);
    }
    process.stdout.write(
      `      ${KEYS} keys: ready after ${Math.round(full.readyMs)} ms (${Math.round(empty.readyMs)} ms without any), ` +
        `${ratios.map((value) => value.toFixed(2)).join(", ")} times as long as reading them (goal: ${READY_GOAL}); ` +
        `without a snapshot ${Math.round(first.readyMs)} ms, ${firstRatio.toFixed(2)} times; ` +
        `${bytesAKey("residentBytes", full)} bytes a key resident, ${bytesAKey("heapBytes", full)} on the heap\n`,
    );
    expect(bytesAKey("residentBytes", full), "bytes per key").to.be.below(BYTES_A_KEY);
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

function lineOf(auth: ServiceProcess, message: string) {
  return logLines(auth.stderr()).find(({ msg }) => msg === message);
}

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
