import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { saveMessages } from "../../backup/stream-messages.ts";
import { saveKeySnapshot } from "./key-snapshot.ts";
import { sumArchive } from "./sign-archive.ts";
import type { SmallCluster } from "./small-cluster.ts";

/** Makes a backup like version 0.1: the keys in NATS's own snapshot, and no authentication. */
export async function backUpAs01({ connection, jetStream, ringFile }: SmallCluster, folder: string): Promise<void> {
  mkdirSync(folder, { mode: 0o700 });
  const path = (file: string) => join(folder, file);
  const { messages: events, ...last } = await saveMessages(jetStream, "KEYS", path("unused"));
  rmSync(path("unused"));
  const usage = await saveMessages(jetStream, "USAGE", path("usage.jsonl"));
  const months = await saveMessages(jetStream, "USAGE_MONTHS", path("usage-months.jsonl"));
  await saveKeySnapshot(connection, path("keys.snapshot"));
  await copyFile(ringFile, path("signing-keys.json"));
  const manifest = {
    format: "geolookup-backup",
    version: 1,
    createdAt: new Date().toISOString(),
    keys: { events, ...last },
    usageMessages: usage.messages,
    monthMessages: months.messages,
    hasSigningKeys: true,
  };
  writeFileSync(path("manifest.json"), JSON.stringify(manifest));
  sumArchive(folder, ["manifest.json", "keys.snapshot", "usage.jsonl", "usage-months.jsonl", "signing-keys.json"]);
}
