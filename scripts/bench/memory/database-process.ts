import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openLocator } from "@geolookup/geo/lookup/locator.ts";
import { Registry } from "@prometheus-io/client";
import { pino } from "pino";
import { spreadAddresses } from "../load/addresses.ts";

/** The memory of one database, in bytes. */
export interface DatabaseMemory {
  /** Additional memory once it is open. */
  openBytes: number;
  /** Additional memory after many lookups, for cached records. */
  usedBytes: number;
  /** The number of those lookups. */
  addresses: number;
}

const ADDRESSES = 2 ** 18;
const SEED = 7;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
const addresses = spreadAddresses(ADDRESSES, SEED);
const log = pino({ level: "warn" }, process.stderr);

const before = held();
const locator = await openLocator({ databases: { files: process.argv.slice(2) }, log, registry: new Registry() });
const openBytes = held() - before;
for (const address of addresses) locator.locate(address);
const usedBytes = held() - before;
// Keeps the addresses alive: if they were collected earlier, the difference would be too small.
process.send?.({ openBytes, usedBytes, addresses: addresses.length } satisfies DatabaseMemory);
await locator[Symbol.asyncDispose]();

function held(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
