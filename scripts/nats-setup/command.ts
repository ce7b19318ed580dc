import type { AddCommands } from "../command-line.ts";

export const addNatsSetup: AddCommands = (program, context, act) => {
  program
    .command("nats-setup")
    .summary("create the streams of a cluster in NATS")
    .description(
      `Creates the streams of a cluster in NATS: KEYS, KEY_MARKS, USAGE and USAGE_MONTHS. Services wait until they exist. To change \
how many NATS servers store the streams, set NATS_REPLICAS and run it again. Never creates an empty key log if other streams \
show that there was one.

Reads NATS_URL, the credentials of the NATS user "setup", and NATS_REPLICAS (unset: 1).`,
    )
    .action(() => act(async () => (await import("./run.ts")).runNatsSetup(context)));
};
