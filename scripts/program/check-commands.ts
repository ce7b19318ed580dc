import { type AddCommands, JSON_OPTION, valueOption } from "../command-line.ts";
import type { SmokeOptions } from "../smoke/run.ts";

export const addDoctor: AddCommands = (program, context, act) => {
  const doctor = program
    .command("doctor")
    .summary("diagnose a running deployment")
    .description(
      `Shows every process of the deployment, whether it is ready, its version, the age of its data, how far behind it is, and \
what is unavailable to it. Exits with status 1 if there are warnings. It finds the services of start and cluster on this \
machine, whatever their ports and data folders; DATA_DIR selects one. For others, set OPS_TARGETS to their ops ports. With \
REDIS_URL (and REDIS_PASSWORD and so on, as the gateway reads them) it also checks that Redis retains nothing about callers.`,
    )
    .option(...JSON_OPTION)
    .action((options: { json?: boolean }) =>
      act(async () => (await import("../doctor/overview.ts")).runOverview(context, options.json)),
    );
  doctor
    .command("ip [peer]")
    .summary("show whose address a request has, and its location in each database")
    .description(
      `Shows which address the gateway takes as the caller's if a connection comes from an address with that X-Forwarded-For, and \
why, and what each database has for it. It uses the TRUST_PROXY of the running service, unless it is set for this command. \
Elsewhere, set GEO_URL and TRUST_PROXY to those of the gateway. The address isn't stored or logged.`,
    )
    .addOption(valueOption("--peer <address>", "where the connection comes from"))
    .addOption(valueOption("--x-forwarded-for <addresses>", "the header, e.g. 'A, B'"))
    .action((peer: string | undefined, options: { peer?: string; xForwardedFor?: string }) =>
      act(async () => (await import("../doctor/ip.ts")).runDoctorIp(context, peer, options)),
    );
};

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
      act(async () => (await import("../smoke/run.ts")).runSmoke(context, url, options)),
    );
};

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
      act(async () => (await import("../usage-verify/run.ts")).runVerify(context, options.json)),
    );
};
