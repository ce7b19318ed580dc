import { type Clock, systemClock } from "@geolookup/shared/domain/clock.ts";
import { isMonth, periodAt } from "@geolookup/shared/domain/period.ts";
import { commaSeparated } from "@geolookup/shared/runtime/env/env.ts";
import { Argument, type Command, Option } from "commander";
import {
  type CommandContext,
  CommandLineError,
  JSON_OPTION,
  type Perform,
  printing,
  requiredArgument,
  valueOption,
} from "../command-line.ts";
import { collectPairs, durationSeconds, EXPIRY_FORM, expiryOf, pairOf, parsed } from "../values.ts";
import type { KeyCall, ListFilter } from "./admin-client.ts";
import { addBulk } from "./bulk/command.ts";

const originList = commaSeparated();
const KINDS = ["publishable", "secret"] as const;
const STATUSES = ["active", "disabled", "expired", "rotated", "revoked"] as const;
const MAX_COUNT = 100_000;
/** Where commands find the service, for their help. */
export const WHERE = `The service is found through admin.json in DATA_DIR (default: data), or at AUTH_URL (and USAGE_URL for usage) \
with ADMIN_TOKEN, which can also be the token of an operator.`;

interface Shared {
  json?: boolean;
}

interface IssueOptions {
  kind: (typeof KINDS)[number];
  plan?: string;
  label?: string;
  origins?: string;
  forward?: true;
  expires?: string;
  customer?: string;
  metadata?: Record<string, string>;
  count?: number;
  csv?: string;
}

/** Adds `keys`. */
export function addKeys(
  program: Command,
  context: CommandContext,
  act: (perform: Perform) => void,
  clock: Clock = systemClock,
): void {
  const keys = program
    .command("keys")
    .summary("manage keys")
    .description(`Manages the keys of a running service.\n\n${WHERE}`);
  const { environment } = context;
  const perform = printing(context, act, () => import("./run.ts"));
  const expiry = parsed((text) => expiryOf(text, clock()), EXPIRY_FORM);
  const add = (name: string, description: string) =>
    keys
      .command(name)
      .description(description)
      .option(...JSON_OPTION);
  const withKey = (name: string, description: string) =>
    add(name, description).addArgument(requiredArgument("<id>", "key ID, or the full key"));
  add("issue", "issue a key; the full key is shown only once")
    .addOption(new Option("--kind <kind>", "kind of key").choices(KINDS).makeOptionMandatory())
    .addOption(valueOption("--plan <plan>", "its plan; default: its customer's"))
    .addOption(valueOption("--label <text>", "a name for people"))
    .addOption(valueOption("--origins <list>", "websites that may use it, separated by commas; default: any"))
    .option("--forward", "for secret keys: let the key look up visitors, by their address in X-Forwarded-For")
    .addOption(valueOption("--expires <when>", `when it expires: ${EXPIRY_FORM} (default)`, expiry))
    .addOption(valueOption("--customer <id>", "the customer that it belongs to, whose quota it shares"))
    .addOption(new Option("--metadata <name=value>", "a pair to find it by; can be repeated").argParser(collectPairs))
    .addOption(valueOption("--count <number>", "how many keys to issue, with --csv", parsed(countOf, "at most 100000")))
    .addOption(
      valueOption("--csv <file>", "write the new keys to a new file, before they are issued; - is standard output"),
    )
    .action((options: IssueOptions & Shared) => {
      const { kind, plan = "", label = "", origins = "", forward, expires: expiresAt = "", count = 1 } = options;
      const { customer = "", metadata = {}, csv } = options;
      if (forward && kind !== "secret")
        throw new CommandLineError("--forward needs --kind secret: anyone can read a publishable key");
      if (plan === "" && customer === "") throw new CommandLineError("--plan is needed, or --customer");
      if (count > 1 && csv === undefined) throw new CommandLineError("--count needs --csv");
      if (csv === "-" && options.json) throw new CommandLineError("--csv - and --json both write to standard output");
      const request = {
        ...{ kind, plan, label, origins: originList.parse(origins), expiresAt, customer, metadata },
        ...(forward && { mayForward: true }),
      };
      perform(
        (run) => (csv === undefined ? run.issue(environment, request) : run.issueToFile(context, request, count, csv)),
        options,
      );
    });
  add("list", "list all keys, or those that match")
    .addOption(
      valueOption(
        "--search <text>",
        "part of the key ID, the label, an origin or a metadata value, or the end of the key; or a full key",
      ),
    )
    .addOption(new Option("--kind <kind>").choices(KINDS))
    .addOption(valueOption("--plan <plan>", "of this plan"))
    .addOption(new Option("--status <status>").choices(STATUSES))
    .addOption(valueOption("--customer <id>", "of this customer"))
    .addOption(
      valueOption("--metadata <name=value>", "with this pair", parsed(pairOf, "name=value")).conflicts("search"),
    )
    .action((options: Partial<ListFilter> & Shared) => {
      const { search = "", kind = "", plan = "", status = "", customer = "", metadata } = options;
      const filter = { search, kind, plan, status, customer, metadata };
      perform((run) => run.list(environment, filter), options);
    });
  withKey("show", "show a key").action((keyId: string, options) =>
    perform((run) => run.show(environment, keyId), options),
  );
  withKey("rotate", "issue a successor; both keys work until the overlap is over, and share a quota")
    .addOption(
      valueOption(
        "--overlap <duration>",
        "how long the old key still works, such as 24h; 0 ends it at once",
        parsed(durationSeconds, "a duration such as 24h, or 0"),
      ).makeOptionMandatory(),
    )
    .action((keyId: string, { overlap, ...options }: { overlap: number } & Shared) =>
      perform((run) => run.rotate(environment, keyId, overlap), options),
    );
  const change = (call: KeyCall, options: Shared) => perform((run) => run.change(environment, call), options);
  withKey("expire", "change when a key expires")
    .addArgument(requiredArgument("<when>", EXPIRY_FORM, expiry))
    .action((keyId: string, expiresAt: string, options) =>
      change({ method: "SetExpiry", request: { keyId, expiresAt } }, options),
    );
  withKey("disable", "stop a key from working until it is enabled again")
    .addOption(valueOption("--reason <text>", "kept in its history"))
    .action((keyId: string, { reason = "", ...options }: { reason?: string } & Shared) =>
      change({ method: "DisableKey", request: { keyId, reason } }, options),
    );
  withKey("enable", "enable a disabled key").action((keyId: string, options) =>
    change({ method: "EnableKey", request: { keyId } }, options),
  );
  withKey("revoke", "revoke a key permanently")
    .addOption(valueOption("--reason <text>", "kept in its history"))
    .action((keyId: string, { reason = "", ...options }: { reason?: string } & Shared) =>
      perform((run) => run.revoke(environment, keyId, reason), options),
    );
  withKey("set-plan", "change a key's plan")
    .argument("<plan>")
    .action((keyId: string, plan: string, options) => change({ method: "SetPlan", request: { keyId, plan } }, options));
  withKey("set-origins", 'replace a key\'s origin allowlist ("" allows any origin)')
    .argument("<origins>", "separated by commas")
    .action((keyId: string, origins: string, options) =>
      change({ method: "SetOrigins", request: { keyId, origins: originList.parse(origins) } }, options),
    );
  withKey("set-label", "rename a key")
    .argument("<text>", "the label")
    .action((keyId: string, label: string, options) =>
      change({ method: "SetLabel", request: { keyId, label } }, options),
    );
  withKey("set-customer", "move a key to a customer; it counts toward the customer's quota from the next month on")
    .argument("<customer>", 'the customer\'s ID, or "" to remove it from its customer')
    .action((keyId: string, customer: string, options) =>
      change({ method: "SetCustomer", request: { keyId, customer } }, options),
    );
  withKey("set-metadata", "replace a key's metadata; without pairs, remove it")
    .addArgument(new Argument("[name=value...]", "at most 20").argParser(collectPairs))
    .action((keyId: string, metadata: Record<string, string> = {}, options) =>
      change({ method: "SetMetadata", request: { keyId, metadata } }, options),
    );
  add("history", "show a key's events, or the changes of the plans")
    .addArgument(requiredArgument("<id>", "key ID, the full key, or plans"))
    .action((keyId: string, options) => perform((run) => run.history(environment, keyId), options));
  const plans = keys
    .command("plans")
    .summary("show the current plans, and a plans file that is held")
    .option(...JSON_OPTION);
  plans.action((options) => perform((run) => run.showPlans(environment), options));
  plans
    .command("check")
    .description("show what a plans file would change")
    .addArgument(requiredArgument("<file>", "its path; - is standard input"))
    .option(...JSON_OPTION)
    .action((file: string, options) =>
      perform((run) => run.checkPlans(environment, file), { ...plans.opts(), ...options }),
    );
  plans
    .command("confirm")
    .description("use the plans file that is held")
    .addArgument(requiredArgument("<hash>", "shown by keys plans"))
    .option(...JSON_OPTION)
    .action((hash: string, options) =>
      perform((run) => run.confirmPlans(environment, hash), { ...plans.opts(), ...options }),
    );
  addUsageOf(add("usage", "show a key's requests in a month, by day"), context, act, clock);
  add("log", "start a new, empty key log if the previous one is lost")
    .description(
      "Starts a new, empty key log if the previous one is lost. All issued keys become invalid: unknown_key. Restore a backup instead if you have one.",
    )
    .requiredOption("--new", "confirms it")
    .option("--force", "discard the events that the log of a cluster still has")
    .action(({ force = false, ...options }: { force?: boolean } & Shared) =>
      printing(context, act, () => import("./new-key-log.ts"))((log) => log.startNewLog(environment, force), options),
    );
  addBulk(keys, context, act);
}

/** Adds `usage ID`. @returns the command, for more. */
export function addUsage(program: Command, context: CommandContext, act: (perform: Perform) => void): Command {
  const usage = program.command("usage").summary("show a key's requests in a month; compare totals with the log");
  const show = usage
    .command("show", { isDefault: true })
    .description("show a key's requests in a month, by day")
    .option(...JSON_OPTION);
  addUsageOf(show, context, act, systemClock);
  return usage;
}

function addUsageOf(command: Command, context: CommandContext, act: (perform: Perform) => void, clock: Clock): void {
  const perform = printing(context, act, () => import("./run.ts"));
  command
    .addArgument(requiredArgument("<id>", "key ID, or the full key"))
    .addOption(monthOption())
    .action((keyId: string, { month = periodAt(clock()).month, ...options }: { month?: string } & Shared) =>
      perform((run) => run.showUsage(context.environment, keyId, month), options),
    );
}

export function monthOption(): Option {
  const read = parsed((text) => (isMonth(text) ? text : null), "YYYY-MM, e.g. 2026-01");
  return valueOption("--month <month>", "YYYY-MM (UTC); default: this month", read);
}

function countOf(text: string): number | null {
  return /^[1-9]\d{0,5}$/.test(text) && Number(text) <= MAX_COUNT ? Number(text) : null;
}
