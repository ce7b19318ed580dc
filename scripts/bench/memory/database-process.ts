import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openLocator } from "@geolookup/geo/lookup/locator.ts";
import { pino } from "pino";
import { Registry } from "prom-client";
import { spreadAddresses } from "../load/addresses.ts";

/** What one database takes, in bytes. */
export interface DatabaseMemory {
  /** Held more once it is open. */
  openBytes: number;
  /** Held more once many addresses have been looked up: decoded records are kept. */
  usedBytes: number;
  /** How many addresses that were. */
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
// Uses the addresses again, so that they aren't collected earlier, which would make the difference too small.
process.send?.({ openBytes, usedBytes, addresses: addresses.length } satisfies DatabaseMemory);
await locator[Symbol.asyncDispose]();

function held(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
