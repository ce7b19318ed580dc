import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Environment, exposureOf, SECRET_FILE_VARIABLES } from "../files/secret-files.ts";
import { StartError } from "../lifecycle/start-error.ts";

/** Settings that can be read from a file instead: tokens, and URLs that can contain a password. */
export const SECRETS: readonly string[] = [
  ...["ADMIN_TOKEN", "IP_HASH_SECRET", "NATS_URL", "NATS_PASSWORD", "REDIS_URL", "REDIS_PASSWORD"],
  ...["EDGE_TOKEN", "OPERATOR_HEADER_SECRET", "OIDC_CLIENT_SECRET"],
];

/** Settings that are only valid together. */
const GROUPS: readonly (readonly string[])[] = [
  ["TLS_CERT_FILE", "TLS_KEY_FILE"],
  ["INTERNAL_TLS_CA_FILE", "INTERNAL_TLS_CERT_FILE", "INTERNAL_TLS_KEY_FILE"],
  ["REDIS_CERT_FILE", "REDIS_KEY_FILE"],
  ["NATS_CERT_FILE", "NATS_KEY_FILE"],
  ["NATS_USER", "NATS_PASSWORD"],
  ["OPERATOR_HEADER", "OPERATOR_HEADER_FROM"],
  ["OPERATOR_HEADER", "OPERATOR_HEADER_SECRET"],
  ["OIDC_ISSUER", "OIDC_CLIENT_ID"],
];

/**
 * Reads a service's configuration from the environment, keyed by variable name. An empty variable
 * counts as unset. Each name in `secrets` that the schema has can be read from the file at NAME_FILE instead. A secret file that
 * every user of the machine can read is refused, unless ALLOW_READABLE_SECRETS is
 * `on`. Each name in `clusterNeeds` must be set unless STORES is `embedded`. A certificate,
 * its key and its CA, and a user and its password, must be set together.
 * @throws StartError naming all invalid variables at once; values of secrets, and of issues with the parameter `hidesValue`,
 * are never shown.
 */
export function readEnvironment<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  environment: Environment,
  secrets: readonly string[] = [],
  clusterNeeds: readonly string[] = [],
): z.infer<z.ZodObject<Shape>> {
  const values: Record<string, string> = {};
  const problems: string[] = [];
  /** Variables whose files can't be read: no other problems are reported for them. */
  const unread = new Set<string>();
  for (const name of Object.keys(schema.shape)) {
    const value = environment[name];
    if (value !== undefined && value !== "") values[name] = value;
  }
  for (const name of secrets) {
    const file = environment[`${name}_FILE`];
    if (!file || !(name in schema.shape)) continue;
    if (values[name] !== undefined) {
      problems.push(`${name}: set both directly and by ${name}_FILE; keep one`);
      continue;
    }
    try {
      values[name] = secretIn(file);
    } catch (error) {
      unread.add(name);
      problems.push(`${name}_FILE: cannot read ${file}: ${(error as Error).message}`);
    }
  }
  problems.push(...exposures(Object.keys(schema.shape), environment, secrets));
  for (const name of values.STORES === "embedded" ? [] : clusterNeeds)
    if (values[name] === undefined && !unread.has(name)) problems.push(`${name}: is required with STORES=cluster`);
  for (const group of GROUPS.filter((names) => names.every((name) => name in schema.shape))) {
    const set = group.find((name) => values[name] !== undefined);
    const missing = group.filter((name) => values[name] === undefined && !unread.has(name));
    if (set !== undefined) problems.push(...missing.map((name) => `${name}: is required with ${set}`));
  }
  const parsed = schema.safeParse(values);
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0]);
    if (unread.has(name)) continue;
    const value = values[name];
    const isHidden = secrets.includes(name) || (issue.code === "custom" && issue.params?.hidesValue === true);
    const shown = value === undefined || isHidden ? "" : ` (got ${JSON.stringify(value)})`;
    problems.push(`${name}: ${value === undefined ? "is required" : issue.message}${shown}`);
  }
  if (!parsed.success || problems.length > 0) throw badConfiguration(problems);
  return parsed.data;
}

/** @param problems each names the variable and says what to change. */
export function badConfiguration(problems: readonly string[]): StartError {
  return new StartError(`bad configuration:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
}

function exposures(names: readonly string[], environment: Environment, secrets: readonly string[]): string[] {
  const allow = environment.ALLOW_READABLE_SECRETS || "off";
  if (allow !== "on" && allow !== "off")
    return [`ALLOW_READABLE_SECRETS: must be on or off (got ${JSON.stringify(allow)})`];
  if (allow === "on") return [];
  const dataDir = names.includes("DATA_DIR") ? environment.DATA_DIR || "data" : null;
  const files = new Set(names.map((name) => (secrets.includes(name) ? `${name}_FILE` : name)));
  return [...files].flatMap((name) => {
    const path = environment[name];
    const isSecret = SECRET_FILE_VARIABLES.includes(name) || secrets.includes(name.replace(/_FILE$/, ""));
    const problem = path && name.endsWith("_FILE") && isSecret ? exposureOf(path, dataDir) : null;
    return problem === null ? [] : [`${name}: ${problem}`];
  });
}

/** The secret in a file: its text, without a trailing newline. @throws Error if it can't be read or is empty. */
export function secretIn(file: string): string {
  const value = readFileSync(file, "utf8").replace(/\r?\n$/, "");
  if (value.trim() === "") throw new Error("it is empty");
  return value;
}

/** A whole number within bounds, from text. */
export function wholeNumber(minimum: number, maximum: number) {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, message);
}

/** A TCP port; 0 lets the system choose. */
export const port = () => wholeNumber(0, 65535);

/** An absolute http or https URL without a trailing slash. */
export const httpUrl = () =>
  z
    .string()
    .refine(
      (value) => /^https?:\/\//i.test(value) && URL.canParse(value),
      "must be an absolute http:// or https:// URL",
    )
    .transform((value) => value.replace(/\/+$/, ""));

/** A comma-separated list; blanks are trimmed, empty items dropped. */
export const commaSeparated = () =>
  z.string().transform((value) =>
    value
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== ""),
  );

export const logLevel = () =>
  z.enum(["debug", "info", "warn", "error"], "must be one of debug, info, warn, error").default("info");

/** The path of a file that can be read now and isn't empty. */
export const readableFile = () => fileThat("must name a file that is not empty", (text) => text.trim() !== "");

/** The path of a PEM file that can be read now; its content is checked when it is used. */
export const pemFile = () => fileThat("must name a PEM file", (text) => text.includes("-----BEGIN "));

function fileThat(must: string, isRight: (text: string) => boolean) {
  return z.string().superRefine((path, context) => {
    let message = must;
    try {
      if (isRight(readFileSync(path, "utf8"))) return;
    } catch (error) {
      message = `cannot be read: ${(error as Error).message}`;
    }
    context.addIssue({ code: "custom", message });
  });
}
