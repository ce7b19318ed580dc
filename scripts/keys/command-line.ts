import { isMonth } from "@geolookup/shared/domain/period.ts";
import { commaSeparated } from "@geolookup/shared/runtime/env/env.ts";
import { CommandLineError, readArguments } from "../command-line.ts";

const originList = commaSeparated();

/** Which keys to list; an empty string matches every key. */
export interface ListFilter {
  search: string;
  kind: "" | "publishable" | "secret";
  plan: string;
  status: "" | "active" | "revoked";
}

/** What the operator asked for. */
export type Command =
  | { name: "help" }
  | { name: "issue"; kind: "publishable" | "secret"; plan: string; label: string; origins: string[]; mayForward?: true }
  | { name: "list"; filter: ListFilter }
  | { name: "show"; keyId: string }
  | { name: "history"; keyId: string }
  | { name: "revoke"; keyId: string; reason: string }
  | { name: "set-plan"; keyId: string; plan: string }
  | { name: "set-origins"; keyId: string; origins: string[] }
  | { name: "set-label"; keyId: string; label: string }
  | { name: "plans"; action: "show" }
  | { name: "plans"; action: "check"; file: string }
  | { name: "plans"; action: "confirm"; hash: string }
  | { name: "usage"; keyId: string; month: string | undefined }
  | { name: "log"; force: boolean };

export const HELP = `Usage: make keys ARGS="COMMAND [--json]"
       make usage ARGS="ID [--month YYYY-MM] [--json]"      the same as make keys ARGS="usage ID …"

  issue --kind publishable|secret --plan PLAN [--label TEXT] [--origins A,B] [--forward]
                            issue a key; the full key is shown only once. --forward, for secret
                            keys, lets the key name a visitor in X-Forwarded-For
  list [--search TEXT] [--kind publishable|secret] [--plan PLAN] [--status active|revoked]
                            list all keys, or those that match; TEXT is part of the key ID, the
                            label or an origin, or the end of the key
  show ID                   show a key
  revoke ID [--reason TEXT] revoke a key permanently
  set-plan ID PLAN          change a key's plan
  set-origins ID A,B        replace a key's origin allowlist ("" allows any origin)
  set-label ID TEXT         rename a key
  history ID                show a key's events
  history plans             show the changes of the plans
  plans                     show the current plans, and a plans file that is held
  plans check FILE          show what a plans file (-: standard input) would change
  plans confirm HASH        use the plans file that is held
  usage ID [--month YYYY-MM]
                            show a key's requests in a month (UTC; default: this month)
  log --new [--force]       start a new, empty key log if the previous one is lost. All issued keys
                            become invalid: unknown_key. Restore a backup instead if you have one.
                            --force discards the events that the log of a cluster still has
  help                      show this text

Quote text with spaces: make keys ARGS='set-label ID "Our shop"'.
With --json, each command prints one JSON document. The service is found through admin.json in
DATA_DIR (default: data), or at AUTH_URL (and USAGE_URL for usage) with ADMIN_TOKEN.
`;

/** The options each command takes besides --json, those without a value (flags), and the names of its arguments. */
const GRAMMAR: Readonly<
  Record<Command["name"], { options: readonly string[]; flags?: readonly string[]; positionals: readonly string[] }>
> = {
  help: { options: [], positionals: [] },
  issue: { options: ["kind", "plan", "label", "origins"], flags: ["forward"], positionals: [] },
  list: { options: ["search", "kind", "plan", "status"], positionals: [] },
  show: { options: [], positionals: ["ID"] },
  revoke: { options: ["reason"], positionals: ["ID"] },
  "set-plan": { options: [], positionals: ["ID", "PLAN"] },
  "set-origins": { options: [], positionals: ["ID", "ORIGINS"] },
  "set-label": { options: [], positionals: ["ID", "TEXT"] },
  history: { options: [], positionals: ["ID"] },
  plans: { options: [], positionals: [] },
  usage: { options: ["month"], positionals: ["ID"] },
  log: { options: [], flags: ["new", "force"], positionals: [] },
};

/** Reads the arguments after the program's name. @throws CommandLineError */
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
        throw new CommandLineError("--kind must be publishable or secret");
      if (status !== "" && status !== "active" && status !== "revoked")
        throw new CommandLineError("--status must be active or revoked");
      return { json, command: { name, filter: { search: text("search"), kind, plan: text("plan"), status } } };
    }
    case "issue": {
      const kind = text("kind");
      if (kind !== "publishable" && kind !== "secret")
        throw new CommandLineError("issue needs --kind publishable or --kind secret");
      if (text("plan") === "") throw new CommandLineError("issue needs --plan PLAN, e.g. --plan free");
      const origins = originList.parse(text("origins"));
      if (values.forward === true && kind !== "secret")
        throw new CommandLineError("--forward needs --kind secret: anyone can read a publishable key");
      const forward = values.forward === true ? { mayForward: true as const } : {};
      return { json, command: { name, kind, plan: text("plan"), label: text("label"), origins, ...forward } };
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
    case "log":
      if (values.new !== true) throw new CommandLineError("log needs --new, which starts a new key log");
      return { json, command: { name, force: values.force === true } };
    case "plans":
      return { json, command: plansCommand(positionals) };
    case "usage": {
      const month = values.month === undefined ? undefined : text("month");
      if (month !== undefined && !isMonth(month))
        throw new CommandLineError(`--month must be YYYY-MM, e.g. 2026-01 (got ${JSON.stringify(month)})`);
      return { json, command: { name, keyId: first, month } };
    }
  }
}

function plansCommand([action = "show", value, ...rest]: readonly string[]): Extract<Command, { name: "plans" }> {
  if (rest.length === 0) {
    if (action === "show" && value === undefined) return { name: "plans", action };
    if (action === "check" && value) return { name: "plans", action, file: value };
    if (action === "confirm" && value) return { name: "plans", action, hash: value };
  }
  throw new CommandLineError("plans takes nothing, check FILE or confirm HASH");
}

function read([name, ...args]: readonly string[]) {
  if (name === undefined) throw new CommandLineError("no command given");
  if (!isCommandName(name)) throw new CommandLineError(`unknown command ${JSON.stringify(name)}`);
  const grammar = GRAMMAR[name];
  const options: Record<string, { type: "string" | "boolean" }> = { json: { type: "boolean" } };
  for (const option of grammar.options) options[option] = { type: "string" };
  for (const flag of grammar.flags ?? []) options[flag] = { type: "boolean" };
  const wanted = grammar.positionals;
  const { values, positionals } = readArguments(args, options, name === "plans" ? 2 : wanted.length);
  if (positionals.length < wanted.length)
    throw new CommandLineError(`${name} needs ${wanted.slice(positionals.length).join(" and ")}`);
  if (wanted[0] === "ID" && positionals[0] === "") throw new CommandLineError(`${name} needs ID`);
  return { name, values, positionals };
}

function isCommandName(name: string): name is Command["name"] {
  return Object.hasOwn(GRAMMAR, name);
}
