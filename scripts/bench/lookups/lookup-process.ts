import { isIPv6 } from "node:net";
import { openLocator } from "@geolookup/geo/lookup/locator.ts";
import { Registry } from "@prometheus-io/client";
import { open } from "maxmind";
import { pino } from "pino";
import { spreadAddresses } from "../load/addresses.ts";

/** The implementations. */
export type LookupKind = "maxmind" | "locate";

const ADDRESSES = 2 ** 20;
const SEED = 7;
/** Lookups between two reads of the clock. */
const STRIDE = 1_000;

const [kind = "", ...paths] = process.argv.slice(2);
const addresses = spreadAddresses(ADDRESSES, SEED);
const lookUp = await (kind === "locate" ? withLocate() : withMaxmind());
let turn = 0;

/** The bench sends the duration of a round in milliseconds, and gets lookups per second of CPU time. */
process.on("message", (durationMs: number) => {
  const start = process.cpuUsage();
  const endMs = performance.now() + durationMs;
  let count = 0;
  for (; performance.now() < endMs; count += STRIDE)
    for (let step = 0; step < STRIDE; step += 1) {
      lookUp(addresses[turn] as string);
      turn = (turn + 1) % ADDRESSES;
    }
  const { user, system } = process.cpuUsage(start);
  process.send?.((count / (user + system)) * 1_000_000);
});
process.send?.("ready");

/** The final record, from all databases. */
async function withLocate() {
  const log = pino({ level: "warn" }, process.stderr);
  const { locate } = await openLocator({ databases: { files: paths }, log, registry: new Registry() });
  return locate;
}

/** Only the vendor's records, as maxmind's reader returns them, from the same databases. */
async function withMaxmind() {
  const databases = await Promise.all(paths.map((path) => open<object>(path)));
  const forIpv4 = databases.filter(({ metadata }) => !/ipv6$/i.test(metadata.databaseType));
  const forIpv6 = databases.filter(({ metadata }) => metadata.ipVersion === 6);
  return (ip: string) => {
    for (const database of isIPv6(ip) ? forIpv6 : forIpv4) database.get(ip);
  };
}
