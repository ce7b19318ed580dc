import { parseArgs } from "node:util";
import { isMonth } from "@geolookup/shared/domain/period.ts";
import { commaSeparated } from "@geolookup/shared/runtime/env/env.ts";

const originList = commaSeparated();

/** Which keys to list; an empty text matches every key. */
export interface ListFilter {
  search: string;
  kind: "" | "publishable" | "secret";
  plan: string;
  status: "" | "active" | "revoked";
}

/** What the operator asked for. */
export type Command =
  | { name: "help" }
  | { name: "issue"; kind: "publishable" | "secret"; plan: string; label: string; origins: string[] }
  | { name: "list"; filter: ListFilter }
  | { name: "show"; keyId: string }
  | { name: "history"; keyId: string }
  | { name: "revoke"; keyId: string; reason: string }
  | { name: "set-plan"; keyId: string; plan: string }
  | { name: "set-origins"; keyId: string; origins: string[] }
  | { name: "set-label"; keyId: string; label: string }
  | { name: "usage"; keyId: string; month: string | undefined };

/** The command line was not understood; the message says what about it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const USAGE = `Usage: make keys ARGS="COMMAND [--json]"
       make usage ARGS="ID [--month YYYY-MM] [--json]"      the same as make keys ARGS="usage ID …"

  issue --kind publishable|secret --plan PLAN [--label TEXT] [--origins A,B]
                            issue a key; the full key is printed this once
  list [--search TEXT] [--kind publishable|secret] [--plan PLAN] [--status active|revoked]
                            every key, or those that match; TEXT is a part of the key id, the
                            label, an origin or the end of the key
  show ID                   one key
  revoke ID [--reason TEXT] revoke a key permanently
  set-plan ID PLAN          give a key another plan
  set-origins ID A,B        replace a key's origin allowlist ("" allows any origin)
  set-label ID TEXT         rename a key
  history ID                what happened to a key
  usage ID [--month YYYY-MM]  requests counted in a month (UTC; default: this one)
  help                      this text

Texts with blanks need quotes of their own: make keys ARGS='set-label ID "Our shop"'.
With --json each command prints one JSON document. The service is found through admin.json in
DATA_DIR (default: data), or at AUTH_URL (and USAGE_URL for usage) with ADMIN_TOKEN.
`;

/** The options each command takes besides --json, and the names of its arguments. */
const GRAMMAR: Readonly<Record<Command["name"], { options: readonly string[]; positionals: readonly string[] }>> = {
  help: { options: [], positionals: [] },
  issue: { options: ["kind", "plan", "label", "origins"], positionals: [] },
  list: { options: ["search", "kind", "plan", "status"], positionals: [] },
  show: { options: [], positionals: ["ID"] },
  revoke: { options: ["reason"], positionals: ["ID"] },
  "set-plan": { options: [], positionals: ["ID", "PLAN"] },
  "set-origins": { options: [], positionals: ["ID", "ORIGINS"] },
  "set-label": { options: [], positionals: ["ID", "TEXT"] },
  history: { options: [], positionals: ["ID"] },
  usage: { options: ["month"], positionals: ["ID"] },
};

/**
 * Reads the arguments after the program's name.
 * @throws UsageError
 */
export function parseCommandLine(args: readonly string[]): { command: Command; json: boolean } {
  const { name, values, positionals } = read(args);
  const [first = "", second = ""] = positionals;
  const json = values.json === true;
  const text = (option: string) => (typeof values[option] === "string" ? values[option] : "");
  switch (name) {
    case "help":
      return { json, command: { name } };
    case "list": {
      const kind = text("kind");
      const status = text("status");
      if (kind !== "" && kind !== "publishable" && kind !== "secret")
        throw new UsageError("--kind must be publishable or secret");
      if (status !== "" && status !== "active" && status !== "revoked")
        throw new UsageError("--status must be active or revoked");
      return { json, command: { name, filter: { search: text("search"), kind, plan: text("plan"), status } } };
    }
    case "issue": {
      const kind = text("kind");
      if (kind !== "publishable" && kind !== "secret")
        throw new UsageError("issue needs --kind publishable or --kind secret");
      if (text("plan") === "") throw new UsageError("issue needs --plan PLAN, e.g. --plan free");
      const origins = originList.parse(text("origins"));
      return { json, command: { name, kind, plan: text("plan"), label: text("label"), origins } };
    }
    case "show":
      return { json, command: { name, keyId: first } };
    case "history":
      return { json, command: { name, keyId: first } };
    case "revoke":
      return { json, command: { name, keyId: first, reason: text("reason") } };
    case "set-plan":
      return { json, command: { name, keyId: first, plan: second } };
    case "set-origins":
      return { json, command: { name, keyId: first, origins: originList.parse(second) } };
    case "set-label":
      return { json, command: { name, keyId: first, label: second } };
    case "usage": {
      const month = values.month === undefined ? undefined : text("month");
      if (month !== undefined && !isMonth(month))
        throw new UsageError(`--month must be YYYY-MM, e.g. 2026-01 (got ${JSON.stringify(month)})`);
      return { json, command: { name, keyId: first, month } };
    }
  }
}

function read(args: readonly string[]) {
  if (asksForHelp(args)) return { name: "help" as const, values: { json: args.includes("--json") }, positionals: [] };
  const [name] = args;
  if (name === undefined) throw new UsageError("no command was given");
  if (!isCommandName(name)) throw new UsageError(`there is no command ${JSON.stringify(name)}`);
  const grammar = GRAMMAR[name];
  const options: Record<string, { type: "string" | "boolean" }> = { json: { type: "boolean" } };
  for (const option of grammar.options) options[option] = { type: "string" };
  const { values, positionals } = parse(name, args.slice(1), options);
  const wanted = grammar.positionals;
  if (positionals.length > wanted.length)
    throw new UsageError(`${name} takes no ${JSON.stringify(positionals[wanted.length])}`);
  if (positionals.length < wanted.length)
    throw new UsageError(`${name} needs ${wanted.slice(positionals.length).join(" and ")}`);
  if (wanted[0] === "ID" && positionals[0] === "") throw new UsageError(`${name} needs ID`);
  return { name, values, positionals };
}

/** With any command: `make usage ARGS=--help` has one in front. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end < 0 ? args.length : end).some((each) => each === "--help" || each === "-h");
}

/** Node's strict parsing refuses the same, in words for programmers. */
function parse(name: string, args: string[], options: Record<string, { type: "string" | "boolean" }>) {
  const { values, positionals, tokens } = parseArgs({
    args,
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { rawName, value } = token;
    const type = options[token.name]?.type;
    if (type === undefined) throw new UsageError(`${name} has no option ${rawName}`);
    if (type === "boolean" && value !== undefined) throw new UsageError(`${rawName} takes no value`);
    if (type === "string" && (value === undefined || (!token.inlineValue && value.startsWith("-"))))
      throw new UsageError(`${rawName} needs a value (one that begins with "-" is given as ${rawName}=-…)`);
  }
  return { values, positionals };
}

function isCommandName(name: string): name is Command["name"] {
  return Object.hasOwn(GRAMMAR, name);
}
