import { z } from "zod";
import { type RandomBytes, randomBase62, type SigningKey } from "./signature.ts";

/** The signing keys: the active one signs new keys, all verify. */
export interface SigningRing {
  active: SigningKey;
  byId: ReadonlyMap<string, SigningKey>;
}

const SECRET_BYTES = 32;
/** The length of an entry's ID. */
export const ID_LENGTH = 4;

const ringSchema = z.strictObject({
  active: z.string(),
  keys: z.array(
    z.strictObject({
      id: z.string().regex(/^[0-9A-Za-z]{4}$/, "must be 4 letters or digits"),
      secret: z
        .string()
        .regex(/^[0-9A-Za-z_-]+$/, "must be base64url")
        .transform((text) => Buffer.from(text, "base64url"))
        .refine((secret) => secret.length >= SECRET_BYTES, `must hold at least ${SECRET_BYTES} bytes`),
    }),
  ),
});

/**
 * Parses a ring file's text: `{"active": "K1a9", "keys": [{"id": "K1a9", "secret": "<base64url>"}, …]}`.
 * @throws Error that names every problem. It doesn't quote the text, which holds secrets.
 */
export function parseRing(text: string): SigningRing {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error("it isn't valid JSON");
  }
  const parsed = ringSchema.safeParse(json);
  if (!parsed.success)
    throw new Error(parsed.error.issues.map((issue) => `${issue.path.join(".") || "it"}: ${issue.message}`).join("; "));
  const byId = new Map(parsed.data.keys.map((key) => [key.id, key]));
  if (byId.size < parsed.data.keys.length) throw new Error("two keys have the same ID");
  const active = byId.get(parsed.data.active);
  if (!active) throw new Error("active must be the ID of one of the keys");
  return { active, byId };
}

/** The text of a new ring file with one random entry. */
export function newRingText(randomBytes: RandomBytes): string {
  const active = { id: randomBase62(ID_LENGTH, randomBytes), secret: randomBytes(SECRET_BYTES) };
  return ringText({ active, byId: new Map([[active.id, active]]) });
}

/** A ring as the text of its file, for parseRing. */
export function ringText({ active, byId }: SigningRing): string {
  const keys = [...byId.values()].map(({ id, secret }) => ({ id, secret: secret.toString("base64url") }));
  return `${JSON.stringify({ active: active.id, keys }, null, 2)}\n`;
}
