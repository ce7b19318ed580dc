import { type Clock, systemClock } from "@geolookup/shared/domain/clock.ts";
import { isMonth } from "@geolookup/shared/domain/period.ts";
import { commaSeparated } from "@geolookup/shared/runtime/env/env.ts";
import { type Command, Option } from "commander";
import {
  type CommandContext,
  CommandLineError,
  JSON_OPTION,
  type Perform,
  requiredArgument,
  valueOption,
} from "../command-line.ts";
import type { ListFilter } from "./admin-client.ts";
import type { KeyCommand } from "./run.ts";

const originList = commaSeparated();
const KINDS = ["publishable", "secret"] as const;
const STATUSES = ["active", "revoked"] as const;
const WHERE = `The service is found through admin.json in DATA_DIR (default: data), or at AUTH_URL (and USAGE_URL for usage) \
with ADMIN_TOKEN.`;

interface Shared {
  json?: boolean;
}

/** Adds `keys`. */
export function addKeys(
  program: Command,
  context: CommandContext,
  act: (perform: Perform) => void,
  clock: Clock = systemClock,
): void {
  addKeyCommands(
    program.command("keys").summary("manage keys").description(`Manages the keys of a running service.\n\n${WHERE}`),
    runner(context, act, clock),
  );
}

/** Adds the commands of `keys` to a command. */
function addKeyCommands(keys: Command, perform: (command: KeyCommand, options: Shared) => void): void {
  const add = (name: string, description: string) =>
    keys
      .command(name)
      .description(description)
      .option(...JSON_OPTION);
  const withKey = (name: string, description: string) =>
    add(name, description).addArgument(requiredArgument("<id>", "key ID, or the full key"));
  add("issue", "issue a key; the full key is shown only once")
    .addOption(new Option("--kind <kind>", "kind of key").choices(KINDS).makeOptionMandatory())
    .addOption(valueOption("--plan <plan>", "its plan").makeOptionMandatory())
    .addOption(valueOption("--label <text>", "a name for people"))
    .addOption(valueOption("--origins <list>", "websites that may use it, separated by commas; default: any"))
    .option("--forward", "for secret keys: let the key look up visitors, by their address in X-Forwarded-For")
    .action(
      (
        options: {
          kind: (typeof KINDS)[number];
          plan: string;
          label?: string;
          origins?: string;
          forward?: true;
        } & Shared,
      ) => {
        const { kind, plan, label = "", origins = "", forward } = options;
        if (forward && kind !== "secret")
          throw new CommandLineError("--forward needs --kind secret: anyone can read a publishable key");
        const mayForward = forward ? { mayForward: true as const } : {};
        perform({ name: "issue", kind, plan, label, origins: originList.parse(origins), ...mayForward }, options);
      },
    );
  add("list", "list all keys, or those that match")
    .addOption(
      valueOption(
        "--search <text>",
        "part of the key ID, the label or an origin, or the end of the key; or a full key",
      ),
    )
    .addOption(new Option("--kind <kind>").choices(KINDS))
    .addOption(valueOption("--plan <plan>", "of this plan"))
    .addOption(new Option("--status <status>").choices(STATUSES))
    .action((options: Partial<ListFilter> & Shared) => {
      const { search = "", kind = "", plan = "", status = "" } = options;
      perform({ name: "list", filter: { search, kind, plan, status } }, options);
    });
  withKey("show", "show a key").action((keyId: string, options) => perform({ name: "show", keyId }, options));
  withKey("revoke", "revoke a key permanently")
    .addOption(valueOption("--reason <text>", "kept in its history"))
    .action((keyId: string, options: { reason?: string } & Shared) =>
      perform({ name: "revoke", keyId, reason: options.reason ?? "" }, options),
    );
  withKey("set-plan", "change a key's plan")
    .argument("<plan>")
    .action((keyId: string, plan: string, options) => perform({ name: "set-plan", keyId, plan }, options));
  withKey("set-origins", 'replace a key\'s origin allowlist ("" allows any origin)')
    .argument("<origins>", "separated by commas")
    .action((keyId: string, origins: string, options) =>
      perform({ name: "set-origins", keyId, origins: originList.parse(origins) }, options),
    );
  withKey("set-label", "rename a key")
    .argument("<text>", "the label")
    .action((keyId: string, label: string, options) => perform({ name: "set-label", keyId, label }, options));
  add("history", "show a key's events, or the changes of the plans")
    .addArgument(requiredArgument("<id>", "key ID, the full key, or plans"))
    .action((keyId: string, options) => perform({ name: "history", keyId }, options));
  const plans = keys
    .command("plans")
    .summary("show the current plans, and a plans file that is held")
    .option(...JSON_OPTION);
  plans.action((options) => perform({ name: "plans", action: "show" }, options));
  plans
    .command("check")
    .description("show what a plans file would change")
    .addArgument(requiredArgument("<file>", "its path; - is standard input"))
    .option(...JSON_OPTION)
    .action((file: string, options) =>
      perform({ name: "plans", action: "check", file }, { ...plans.opts(), ...options }),
    );
  plans
    .command("confirm")
    .description("use the plans file that is held")
    .addArgument(requiredArgument("<hash>", "shown by keys plans"))
    .option(...JSON_OPTION)
    .action((hash: string, options) =>
      perform({ name: "plans", action: "confirm", hash }, { ...plans.opts(), ...options }),
    );
  addUsageOf(add("usage", "show a key's requests in a month, by day"), perform);
  add("log", "start a new, empty key log if the previous one is lost")
    .description(
      "Starts a new, empty key log if the previous one is lost. All issued keys become invalid: unknown_key. Restore a backup instead if you have one.",
    )
    .requiredOption("--new", "confirms it")
    .option("--force", "discard the events that the log of a cluster still has")
    .action((options: { force?: boolean } & Shared) =>
      perform({ name: "log", force: options.force === true }, options),
    );
}

/** Adds `usage ID`. @returns the command, for more. */
export function addUsage(program: Command, context: CommandContext, act: (perform: Perform) => void): Command {
  const usage = program.command("usage").summary("show a key's requests in a month; compare totals with the log");
  const show = usage
    .command("show", { isDefault: true })
    .description("show a key's requests in a month, by day")
    .option(...JSON_OPTION);
  addUsageOf(show, runner(context, act, systemClock));
  return usage;
}

function addUsageOf(command: Command, perform: (command: KeyCommand, options: Shared) => void): void {
  command
    .addArgument(requiredArgument("<id>", "key ID, or the full key"))
    .addOption(valueOption("--month <month>", "YYYY-MM (UTC); default: this month"))
    .action((keyId: string, options: { month?: string } & Shared) => {
      const { month } = options;
      if (month !== undefined && !isMonth(month))
        throw new CommandLineError(`--month must be YYYY-MM, e.g. 2026-01 (got ${JSON.stringify(month)})`);
      perform({ name: "usage", keyId, month }, options);
    });
}

function runner(context: CommandContext, act: (perform: Perform) => void, clock: Clock) {
  return (command: KeyCommand, { json }: Shared) =>
    act(async () => (await import("./run.ts")).runKeyCommand(context, command, json, clock));
}
