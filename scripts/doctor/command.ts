import { type AddCommands, JSON_OPTION, valueOption } from "../command-line.ts";

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
      act(async () => (await import("./overview.ts")).runOverview(context, options.json)),
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
      act(async () => (await import("./ip.ts")).runDoctorIp(context, peer, options)),
    );
};
