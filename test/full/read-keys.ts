// Only reads all messages of the stream KEYS: the minimum cost of reading them.
import { openNats } from "@geolookup/shared/runtime/nats/connection.ts";
import { pino } from "pino";

/** As auth reads them. */
const BATCH = { maxMessages: 20_000, expiresMs: 30_000 };

const nats = openNats({ url: process.env.NATS_URL ?? "", name: "reader", log: pino({ level: "silent" }) });
const jetStream = await (await nats.connected()).jetStream(30_000);
const reader = await jetStream.openReader("KEYS", { startSequence: 1, inactiveMs: 60_000 });
let left = reader.pending;
const { promise: all, resolve } = Promise.withResolvers<void>();
await using _consumption = await reader.consume({
  ...BATCH,
  onMessage: () => {
    left -= 1;
    if (left === 0) resolve();
  },
});
await all;
process.exit(0);
