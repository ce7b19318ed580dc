import { fileURLToPath } from "node:url";
import { freePort } from "../../../scripts/cluster/free-port.ts";
import type { BenchSettings } from "../settings.ts";
import { startCluster } from "./cluster.ts";
import { type Site, startProcess, type Testbed } from "./contestant.ts";
import { chooseEchoip, startEchoip } from "./echoip.ts";
import { startStandalone } from "./standalone.ts";

/**
 * Starts the requested contestants, one after another.
 * @param say called with each step. If it throws, everything that was started is stopped.
 * @param note called with a line for each skipped contestant.
 */
export async function startSites(
  { contestants: wanted, echoip }: BenchSettings,
  testbed: Testbed,
  say: (line: string) => void,
  note: (line: string) => void,
): Promise<Site> {
  await using opened = new AsyncDisposableStack();
  const contestants: Site["contestants"] = [];
  const start = async (names: readonly string[], open: () => Promise<Site>) => {
    const [first] = names.filter((name) => wanted.has(name));
    if (first === undefined) return;
    say(`starting ${first}`);
    const site = opened.use(await open());
    contestants.push(...site.contestants.filter(({ name }) => wanted.has(name)));
  };
  await start(["node-http"], () => startBare("node-http"));
  if (wanted.has("echoip")) {
    const choice = chooseEchoip(echoip, testbed.databases);
    if ("missing" in choice) note(`echoip is skipped: ${choice.missing}`);
    else await start(["echoip"], () => startEchoip(choice));
  }
  await start(["express-maxmind"], () => startBare("express-maxmind", testbed.databases));
  await start(["standalone-keyless", "standalone-keyed", "edge"], () => startStandalone(testbed));
  await start(["cluster-keyless", "cluster-keyed"], () => startCluster(testbed));
  const held = opened.move();
  return { contestants, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** A Node server in this folder without keys, which takes its port and these arguments. */
async function startBare(name: string, args: readonly string[] = []): Promise<Site> {
  const port = await freePort();
  const script = fileURLToPath(new URL(`${name}-server.ts`, import.meta.url));
  return startProcess({ name, port, path: "/v1/geo" }, process.execPath, [script, `${port}`, ...args]);
}
