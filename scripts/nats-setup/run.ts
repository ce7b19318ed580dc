import { auditRetention } from "@geolookup/shared/logs/audit/settings.ts";
import { setUpStreams } from "@geolookup/shared/logs/set-up-streams.ts";
import { readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import { STORE_VARIABLES } from "@geolookup/shared/runtime/nats/access.ts";
import { z } from "zod";
import type { CommandContext } from "../command-line.ts";
import { connectToNats } from "../nats-connection.ts";

const REQUEST_TIMEOUT_MS = 10_000;

/** Creates the streams. @throws StartError */
export async function runNatsSetup({ environment, print }: CommandContext): Promise<number> {
  const { NATS_REPLICAS, AUDIT_RETENTION } = readEnvironment(
    z.object(STORE_VARIABLES).pick({ NATS_REPLICAS: true }).extend({ AUDIT_RETENTION: auditRetention() }),
    environment,
  );
  await using opened = new AsyncDisposableStack();
  const nats = await connectToNats(environment, opened);
  const jetStream = await (await nats.connected()).jetStream(REQUEST_TIMEOUT_MS);
  const created = await setUpStreams(jetStream, { replicas: NATS_REPLICAS, auditRetentionMs: AUDIT_RETENTION });
  print(created.length > 0 ? `created ${created.join(", ")}\n` : "all streams exist\n");
  return 0;
}
