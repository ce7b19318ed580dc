import { setUpStreams } from "@geolookup/shared/logs/set-up-streams.ts";
import { readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import { STORE_VARIABLES } from "@geolookup/shared/runtime/nats/access.ts";
import { z } from "zod";
import { readArguments } from "../command-line.ts";
import { connectToNats } from "../nats-connection.ts";
import type { CommandContext } from "../run-command.ts";

const REQUEST_TIMEOUT_MS = 10_000;

export const HELP = `Usage: make nats-setup

Creates the streams of a cluster in NATS: KEYS, KEY_MARKS, USAGE and USAGE_MONTHS. Services wait until
they exist. To change how many NATS servers store the streams, set NATS_REPLICAS and run it again.

Never creates an empty key log if other streams show that there was one.

Reads NATS_URL, the credentials of the NATS user "setup", and NATS_REPLICAS (unset: 1).
`;

/** Creates the streams. @throws StartError, CommandLineError */
export async function runNatsSetup({ args, environment, print }: CommandContext): Promise<number> {
  readArguments(args, {}, 0);
  const { NATS_REPLICAS } = readEnvironment(z.object(STORE_VARIABLES).pick({ NATS_REPLICAS: true }), environment);
  await using opened = new AsyncDisposableStack();
  const nats = await connectToNats(environment, opened);
  const jetStream = await (await nats.connected()).jetStream(REQUEST_TIMEOUT_MS);
  const created = await setUpStreams(jetStream, { replicas: NATS_REPLICAS });
  print(created.length > 0 ? `created ${created.join(", ")}\n` : "all streams exist\n");
  return 0;
}
