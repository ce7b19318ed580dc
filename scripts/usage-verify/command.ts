import { type AddCommands, JSON_OPTION } from "../command-line.ts";

/** Adds `verify` to `usage`. */
export const addUsageVerify: AddCommands = (usage, context, act) => {
  usage
    .command("verify")
    .summary("compare the usage service's totals with the usage log")
    .description(
      `Reads the usage log from its start, and lists every key and day (or month) for which the running usage service reports \
another count. Changes nothing. Exits with status 1 if there is a difference, or if it couldn't compare.

Reads the log at NATS_URL, or the one in DATA_DIR; calls the service at USAGE_URL with ADMIN_TOKEN, or the one that start runs.`,
    )
    .option(...JSON_OPTION)
    .action((options: { json?: boolean }) =>
      act(async () => (await import("./run.ts")).runVerify(context, options.json)),
    );
};
