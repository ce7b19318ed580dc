import { z } from "zod";

/** The version of the archive format. */
export const VERSION = 2;
export const SUMS = "SHA256SUMS";
export const MANIFEST = "manifest.json";
/** The file with the HMAC of SHA256SUMS. */
export const CODE = "SHA256SUMS.hmac";

/** The archive's files besides those three. */
export const FILES = {
  keys: "keys.jsonl",
  usage: "usage.jsonl",
  months: "usage-months.jsonl",
  operators: "operators.jsonl",
  audit: "audit.jsonl",
  signingKeys: "signing-keys.json",
} as const;

const count = z.int().nonnegative();
const content = {
  createdAt: z.string(),
  keys: z.strictObject({
    events: count,
    /** The last event's sequence, and its message's SHA-256: they show whether a stream holds this backup. */
    lastSequence: count,
    lastMessageSha256: z.string(),
  }),
  usageMessages: count,
  monthMessages: count,
  operatorMessages: count,
  auditMessages: count,
  hasSigningKeys: z.boolean(),
};
export const manifestSchema = z.strictObject({
  format: z.literal("geolookup-backup"),
  version: z.literal(VERSION),
  ...content,
  bytes: z.record(z.string(), count),
});

const contentSchema = z.object(content);
/** An archive's description of itself. */
export type Content = z.infer<typeof contentSchema>;
export type Manifest = z.infer<typeof manifestSchema>;

/** The files of an archive besides the manifest. */
export function filesOf({ hasSigningKeys }: Pick<Manifest, "hasSigningKeys">): string[] {
  return Object.values(FILES).filter((file) => hasSigningKeys || file !== FILES.signingKeys);
}
