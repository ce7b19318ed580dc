import { ROLES } from "@geolookup/shared/domain/operators.ts";
import { periodAt } from "@geolookup/shared/domain/period.ts";
import { Argument, type Command, Option } from "commander";
import {
  type AddCommands,
  CommandLineError,
  JSON_OPTION,
  printing,
  requiredArgument,
  valueOption,
} from "../command-line.ts";
import type { CustomerCall } from "../keys/admin-client.ts";
import { monthOption, WHERE } from "../keys/command.ts";
import { durationSeconds, EXPIRY_FORM, expiryOf, parsed, timeOf } from "../values.ts";
import type { AuditFilter } from "./audit.ts";

interface Shared {
  json?: boolean;
}

const QUOTA_FORM = "a number of requests, or plan";
const expiry = parsed((text) => expiryOf(text, Date.now()), EXPIRY_FORM);
const quota = parsed<number | "plan">((text) => {
  if (text === "plan") return text;
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}, QUOTA_FORM);
const timeAgo = parsed((text) => {
  const seconds = durationSeconds(text);
  return seconds === null ? timeOf(text) : new Date(Date.now() - seconds * 1_000).toISOString();
}, "a date such as 2027-01-01 (UTC), or how long ago, such as 24h");

/** Adds `customers`. */
export const addCustomers: AddCommands = (program, context, act) => {
  const customers = program
    .command("customers")
    .summary("manage customers, whose keys share a quota")
    .description(
      `Manages customers. The keys of a customer share one quota: its own, or that of its plan.\n\n${WHERE}`,
    );
  const { environment } = context;
  const perform = printing(context, act, () => import("./customers.ts"));
  const call = (made: CustomerCall, options: Shared) =>
    perform((run) => run.callForCustomer(environment, made), options);
  const add = adder(customers);
  const withId = (name: string, description: string) =>
    add(name, description).addArgument(requiredArgument("<id>", "the customer's ID"));
  withId("add", "add a customer; its ID, such as acme, stays")
    .addOption(valueOption("--plan <plan>", "the plan of its new keys and of its quota").makeOptionMandatory())
    .addOption(valueOption("--name <text>", "its name, for people"))
    .addOption(valueOption("--quota <number>", "a monthly quota of its own", quota))
    .action((id: string, options: { plan: string; name?: string; quota?: number | "plan" } & Shared) => {
      const { plan, name = "", quota } = options;
      const request = { id, plan, name, ...(typeof quota === "number" && { monthlyRequests: quota }) };
      call({ method: "AddCustomer", request }, options);
    });
  add("list", "list all customers, or those that match")
    .addOption(valueOption("--search <text>", "part of the ID or name"))
    .action(({ search = "", ...options }: { search?: string } & Shared) =>
      perform((run) => run.list(environment, search), options),
    );
  withId("show", "show a customer").action((id: string, options) =>
    call({ method: "GetCustomer", request: { id } }, options),
  );
  withId("keys", "list a customer's keys").action((customer: string, options) =>
    printing(
      context,
      act,
      () => import("../keys/run.ts"),
    )((run) => run.list(environment, { search: "", kind: "", plan: "", status: "", customer }), options),
  );
  withId("usage", "show a customer's requests in a month, by day and by key")
    .addOption(monthOption())
    .action((id: string, { month = periodAt(Date.now()).month, ...options }: { month?: string } & Shared) =>
      perform((run) => run.showUsage(environment, id, month), options),
    );
  withId("rename", "change a customer's name")
    .argument("<name>", "its name, for people")
    .action((id: string, name: string, options) => call({ method: "ChangeCustomer", request: { id, name } }, options));
  withId("set-plan", "change a customer's plan; its keys keep theirs")
    .argument("<plan>")
    .action((id: string, plan: string, options) => call({ method: "ChangeCustomer", request: { id, plan } }, options));
  withId("set-quota", "give a customer a monthly quota of its own, or its plan's")
    .addArgument(requiredArgument("<number>", QUOTA_FORM, quota))
    .action((id: string, own: number | "plan", options) => {
      const change = own === "plan" ? { hasPlanQuota: true } : { monthlyRequests: own };
      call({ method: "ChangeCustomer", request: { id, ...change } }, options);
    });
  withId("disable", "stop all keys of a customer from working until it is enabled again")
    .addOption(valueOption("--reason <text>", "kept in its history"))
    .action((id: string, { reason = "", ...options }: { reason?: string } & Shared) =>
      call({ method: "DisableCustomer", request: { id, reason } }, options),
    );
  withId("enable", "enable a disabled customer").action((id: string, options) =>
    call({ method: "EnableCustomer", request: { id } }, options),
  );
};

/** Adds `operators`. @returns the command, for more. */
export function addOperators(...[program, context, act]: Parameters<AddCommands>): Command {
  const operators = program
    .command("operators")
    .summary("manage operators, their roles and tokens")
    .description(
      `Manages operators. A viewer sees keys, customers, plans and usage; an operator also changes keys and customers; an admin also \
confirms plans, manages operators and sees the whole audit trail. ADMIN_TOKEN is the token of the operator admin.\n\n${WHERE}`,
    );
  const { environment } = context;
  const perform = printing(context, act, () => import("./operators.ts"));
  const add = adder(operators);
  const withName = (name: string, description: string) =>
    add(name, description).addArgument(requiredArgument("<name>", "the operator's name"));
  const expires = () => valueOption("--expires <when>", `when the token expires: ${EXPIRY_FORM} (default)`, expiry);
  withName("add", "add an operator; the token is shown only once")
    .addOption(new Option("--role <role>", "what it may do").choices(ROLES).makeOptionMandatory())
    .addOption(expires())
    .action((name: string, { role, expires: at = "", ...options }: { role: string; expires?: string } & Shared) =>
      perform((run) => run.add(environment, name, role, at), options),
    );
  add("list", "list all operators").action((options) => perform((run) => run.list(environment), options));
  withName("set-role", "change an operator's role")
    .addArgument(new Argument("<role>").choices(ROLES))
    .action((name: string, role: string, options) => perform((run) => run.setRole(environment, name, role), options));
  withName("replace-token", "give an operator a new token; the old one stops working at once")
    .addOption(expires())
    .action((name: string, { expires: at = "", ...options }: { expires?: string } & Shared) =>
      perform((run) => run.replaceToken(environment, name, at), options),
    );
  withName("remove", "remove an operator; its token and sessions stop working at once").action(
    (name: string, options) => perform((run) => run.remove(environment, name), options),
  );
  operators
    .command("check-oidc")
    .description(
      "Checks OIDC_ISSUER and the other settings of OpenID Connect, with DOCS_URL, against the issuer, and says what to change. Exits with status 1 if sign-ins can't work.",
    )
    .action(() => act(async () => (await import("./check-oidc.ts")).runCheckOidc(context)));
  return operators;
}

/** Adds `apply`. */
export const addApply: AddCommands = (program, context, act) => {
  program
    .command("apply")
    .summary("make customers and keys what a file declares")
    .description(
      `Makes customers and keys what a YAML file declares: it adds, changes and issues what differs, and prints each change. Running it \
again changes nothing. Customers and keys that aren't in the file stay as they are. A key's name in the file is in its metadata, as \
apply=NAME.

New keys are first saved in FILE.keys.csv, beside the file, which only you can read, and then issued. If the command is interrupted, run \
it again. With - it reads standard input and writes new keys to standard output, as CSV.\n\n${WHERE}`,
    )
    .addArgument(requiredArgument("<file>", "its path; - is standard input"))
    .option("--dry-run", "only print what it would change")
    .option(...JSON_OPTION)
    .action((file: string, options: { dryRun?: boolean } & Shared) => {
      if (file === "-" && options.json && !options.dryRun)
        throw new CommandLineError("with -, standard output has the keys, so --json needs --dry-run");
      act(async () => (await import("../apply/run.ts")).runApply(context, file, options));
    });
};

/** Adds `audit`. */
export const addAudit: AddCommands = (program, context, act) => {
  program
    .command("audit")
    .summary("show who changed what, newest first")
    .description(
      `Shows the audit trail, newest first: who changed which key, customer, plan or operator, when, and what changed. Admins see all of \
it, operators what concerns keys, customers and plans.\n\n${WHERE}`,
    )
    .addOption(valueOption("--since <when>", "a date, or how long ago, such as 24h", timeAgo))
    .addOption(valueOption("--until <when>", "likewise", timeAgo))
    .addOption(valueOption("--by <operator>", "changes by this operator"))
    .addOption(valueOption("--action <name>", "such as KeyRevoked"))
    .addOption(valueOption("--subject <id>", "the ID of a key, customer or operator, or plans"))
    .addOption(new Option("--ndjson", "print one JSON document per line, as they arrive").conflicts("json"))
    .option(...JSON_OPTION)
    .action((options: Partial<AuditFilter> & { ndjson?: true } & Shared) =>
      act(async () => (await import("./audit.ts")).runAudit(context, options)),
    );
};

function adder(group: Command) {
  return (name: string, description: string) =>
    group
      .command(name)
      .description(description)
      .option(...JSON_OPTION);
}
