import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { parse } from "yaml";
import { z } from "zod";
import { expiryOf } from "../values.ts";

export const MAX_FILE_BYTES = 4 * 2 ** 20;
const MAX_ALIASES = 100;
const MAX_SHOWN = 20;
/** The metadata of a key with its name in the file. */
export const NAME = "apply";

const enabled = z.boolean().default(true);
const customer = z.strictObject({
  plan: z.string(),
  name: z.string().default(""),
  monthlyRequests: z.int().positive().optional(),
  enabled,
});
const key = z
  .strictObject({
    kind: z.enum(["publishable", "secret"]),
    plan: z.string().optional(),
    label: z.string().default(""),
    origins: z.array(z.string()).default([]),
    forward: z.boolean().default(false),
    // A duration would be another time at each run.
    expires: z
      .string()
      .refine(
        (text) => !/^\d+[dhms]?$/.test(text) && expiryOf(text, 0) !== null,
        "must be a date such as 2027-01-01, or never",
      )
      .transform((text) => expiryOf(text, 0) ?? "")
      .default(""),
    customer: z.string().default(""),
    metadata: z.record(z.string(), z.string()).default({}),
    enabled,
  })
  .refine(({ metadata }) => !(NAME in metadata), `metadata.${NAME} is the key's name in the file`)
  .refine(({ plan, customer }) => plan !== undefined || customer !== "", "needs a plan, or a customer");
const declaration = z.strictObject({
  customers: z.record(z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, "isn't a customer's ID"), customer).default({}),
  keys: z
    .record(
      z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, "must be 1 to 64 characters from A-Z, a-z, 0-9, _, . and -"),
      key,
    )
    .default({}),
});

/** What a file declares. */
export type Declaration = z.infer<typeof declaration>;
export type DeclaredCustomer = z.infer<typeof customer>;
export type DeclaredKey = z.infer<typeof key>;

/**
 * Reads a YAML (or JSON) file that declares customers and keys.
 * @param source its path, for messages.
 * @throws StartError with every problem.
 */
export function parseDeclaration(bytes: Uint8Array, source: string): Declaration {
  if (bytes.length > MAX_FILE_BYTES) throw new StartError(`${source} is too large: it may have 4 MB`);
  let content: unknown;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    content = parse(text, { maxAliasCount: MAX_ALIASES, schema: "core", logLevel: "error" });
  } catch (error) {
    // A RangeError: it is nested too deeply.
    const [message = ""] = (error as Error).message.split("\n", 1);
    throw new StartError(`${source} isn't a YAML file: ${message.slice(0, 200)}`);
  }
  const parsed = declaration.safeParse(content);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, ...issue }) => {
    const message = issue.code === "invalid_key" ? issue.issues[0]?.message : issue.message;
    return `\n  ${path.join(".") || "the file"}: ${message}`;
  });
  const more = problems.length > MAX_SHOWN ? `\n  and ${problems.length - MAX_SHOWN} more` : "";
  throw new StartError(
    `${source} is invalid, so nothing was changed:${problems.slice(0, MAX_SHOWN).join("").slice(0, 8_000)}${more}`,
  );
}
