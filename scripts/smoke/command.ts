import { type AddCommands, JSON_OPTION, valueOption } from "../command-line.ts";
import type { SmokeOptions } from "./run.ts";

export const addSmoke: AddCommands = (program, context, act) => {
  program
    .command("smoke [url]")
    .summary("test a running deployment against the contract")
    .description(
      `Tests a running deployment against each point of the contract, and prints pass, FAIL or skip for each, with the section. \
Exits with status 1 if one failed.

The URL is its public address; default: API_URL, or http://127.0.0.1 and PORT, or the service that runs on this machine. If \
the service can be administered (with AUTH_URL and ADMIN_TOKEN, if it runs at the URL on this machine, or with its DATA_DIR), \
five keys are issued and revoked at the end; their records stay, labeled "smoke test". Otherwise those in --keys are used. Uses one of this machine's 60 keyless requests.`,
    )
    .addOption(valueOption("--paid-plan <name>", "plan with paid fields, for the issued keys (default: paid)"))
    .addOption(valueOption("--free-plan <name>", "plan with free fields (default: free)"))
    .addOption(
      valueOption(
        "--small-plan <name>",
        "also use up the quota of a key of this plan, with at most 100 requests a month",
      ),
    )
    .addOption(
      valueOption("--keys <file>", "two keys, one a line: of a plan with paid fields, and of one with free fields"),
    )
    .option("--spend-hour", "use up all 60 keyless requests for this hour")
    .addOption(valueOption("--ca <file>", "trust the authority in the file (PEM) in addition to the public ones"))
    .option("--insecure", "don't check the certificate")
    .option(...JSON_OPTION)
    .action((url: string | undefined, options: SmokeOptions) =>
      act(async () => (await import("./run.ts")).runSmoke(context, url, options)),
    );
};
