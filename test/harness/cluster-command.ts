import type { ClusterAddresses } from "../../scripts/cluster/addresses.ts";
import { type Child, startChild, stopChild, waitForOutput } from "./child.ts";
import { baseSettings } from "./settings.ts";
import { tempFolder } from "./temp-folder.ts";

export const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;

/** Registers a hook that stops what a test has started. @returns a function that starts `make cluster` with these settings. */
export function clusterCommand(): (environment: Readonly<Record<string, string>>) => Child {
  let child: Child | undefined;
  afterEach(async function () {
    this.timeout(STOP_TIMEOUT_MS);
    if (child && !child.hasEnded()) await stopChild(child);
  });
  return (environment) => {
    child = startChild("scripts/cluster/main.ts", [], { ...baseSettings(), DATA_DIR: tempFolder(), ...environment });
    return child;
  };
}

/** What it prints once it is ready. */
export async function printedAddresses(command: Child): Promise<ClusterAddresses> {
  const whole = () => (command.stdout().endsWith("\n") ? command.stdout() : undefined);
  return JSON.parse(await waitForOutput(command, "the addresses", whole, START_TIMEOUT_MS));
}
