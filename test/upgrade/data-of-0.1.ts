import { chmodSync, cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { jetstream, jetstreamManager, type StreamConfig } from "@nats-io/jetstream";
import { connect, headers } from "@nats-io/transport-node";
import type { Settings } from "../harness/deployment.ts";
import { startNatsServer } from "../harness/nats-server.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const FIXTURE = fileURLToPath(new URL("../fixtures/data-of-0.1/", import.meta.url));

export type OldKeys = Record<"secret" | "publishable" | "revoked" | "changed", { keyId: string; key: string }>;

/** The data of a deployment of version 0.1: the settings to start with, and its keys. */
export interface OldData {
  settings: Settings;
  keys: OldKeys;
}

interface OldMessage {
  stream: string;
  subject: string;
  headers: Record<string, string[]>;
  /** Base64. */
  data: string;
}

/** A copy of the DATA_DIR of a standalone gateway of version 0.1. */
export async function oldDataDir(): Promise<OldData> {
  const dataDir = tempFolder();
  cpSync(join(FIXTURE, "data-dir"), dataDir, { recursive: true });
  chmodSync(join(dataDir, "signing-keys.json"), 0o600);
  return { settings: { DATA_DIR: dataDir }, keys: readJson("data-dir-keys.json") };
}

/** A DATA_DIR for a cluster whose NATS has the streams of version 0.1. */
export async function oldCluster(): Promise<OldData> {
  const dataDir = tempFolder();
  const ringFile = join(tempFolder(), "signing-keys.json");
  cpSync(join(FIXTURE, "cluster/signing-keys.json"), ringFile);
  chmodSync(ringFile, 0o600);
  await fillNats(join(dataDir, "cluster/nats"));
  return { settings: { DATA_DIR: dataDir, SIGNING_KEYS_FILE: ringFile }, keys: readJson("cluster/keys.json") };
}

async function fillNats(folder: string): Promise<void> {
  const server = await startNatsServer({ folder, isEmpty: true });
  const connection = await connect({ servers: server.url });
  const manager = await jetstreamManager(connection);
  for (const config of Object.values(readJson<Record<string, StreamConfig>>("cluster/streams.json")))
    await manager.streams.add(config);
  for (const line of readFileSync(join(FIXTURE, "cluster/messages.jsonl"), "utf8").trimEnd().split("\n")) {
    const message = JSON.parse(line) as OldMessage;
    const sent = headers();
    for (const [name, values] of Object.entries(message.headers)) for (const value of values) sent.append(name, value);
    await jetstream(connection).publish(message.subject, Buffer.from(message.data, "base64"), { headers: sent });
  }
  await connection.close();
  await server.stop();
}

function readJson<Content>(file: string): Content {
  return JSON.parse(readFileSync(join(FIXTURE, file), "utf8")) as Content;
}
