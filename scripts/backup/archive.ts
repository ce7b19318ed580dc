import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { z } from "zod";

/** Of the archive's form; another one is not read. */
export const VERSION = 1;
export const SUMS = "SHA256SUMS";
export const MANIFEST = "manifest.json";

/** The archive's files besides those two. */
export const FILES = {
  keys: "keys.snapshot",
  usage: "usage.jsonl",
  months: "usage-months.jsonl",
  signingKeys: "signing-keys.json",
} as const;

const contentSchema = z.strictObject({
  createdAt: z.string(),
  keys: z.strictObject({
    events: z.int().nonnegative(),
    /** Of the last event, and that message's SHA-256: whether a stream holds this backup is told by it. */
    lastSequence: z.int().nonnegative(),
    lastMessageSha256: z.string(),
  }),
  usageMessages: z.int().nonnegative(),
  monthMessages: z.int().nonnegative(),
  hasSigningKeys: z.boolean(),
});
export const manifestSchema = contentSchema.extend({
  format: z.literal("geolookup-backup"),
  version: z.literal(VERSION),
});

/** What an archive says of itself. */
export type Content = z.infer<typeof contentSchema>;

/** The files that the sums are of. */
export function filesOf({ hasSigningKeys }: Content): string[] {
  const files = [MANIFEST, FILES.keys, FILES.usage, FILES.months];
  return hasSigningKeys ? [...files, FILES.signingKeys] : files;
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
