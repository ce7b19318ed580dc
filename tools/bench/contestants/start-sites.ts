import type { BenchSettings } from "../settings.ts";
import { startBare } from "./bare.ts";
import { startClusterFew, startClusterMany, startClusterTls } from "./cluster.ts";
import type { Site, Testbed } from "./contestant.ts";
import { chooseEchoip, startEchoip } from "./echoip.ts";
import { edgeNginxMissing } from "./edge.ts";
import { nginxMissing, startNginx } from "./nginx.ts";
import { startStandaloneFew, startStandaloneMany } from "./standalone.ts";

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
  await start(["node-http"], () => startBare("node-http", "contestants/node-http-server.ts"));
  const missing = nginxMissing(testbed.databases);
  if (missing === null) await start(["nginx-geoip2"], () => startNginx(testbed));
  else if (wanted.has("nginx-geoip2")) note(`nginx-geoip2 is skipped: ${missing}`);
  if (wanted.has("echoip")) {
    const choice = chooseEchoip(echoip, testbed.databases);
    if ("missing" in choice) note(`echoip is skipped: ${choice.missing}`);
    else await start(["echoip"], () => startEchoip(choice));
  }
  await start(["express-maxmind"], () =>
    startBare("express-maxmind", "contestants/express-maxmind-server.ts", testbed.databases),
  );
  const nginxForEdgeMissing = wanted.has("edge-behind-nginx") ? edgeNginxMissing() : null;
  if (nginxForEdgeMissing !== null) note(`edge-behind-nginx is skipped: ${nginxForEdgeMissing}`);
  const wantsNginx = wanted.has("edge-behind-nginx") && nginxForEdgeMissing === null;
  await start([...few("standalone"), "edge", "edge-behind-nginx"], () => startStandaloneFew(testbed, wantsNginx));
  await start(["standalone-few-of-many", "standalone-many-keys"], () => startStandaloneMany(testbed));
  await start([...few("cluster"), "naive"], () => startClusterFew(testbed, wanted.has("naive")));
  await start(["cluster-keyed-tls"], () => startClusterTls(testbed));
  await start(["cluster-few-of-many", "cluster-many-keys"], () => startClusterMany(testbed));
  const held = opened.move();
  return { contestants, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

function few(kind: "standalone" | "cluster"): string[] {
  return [`${kind}-keyless`, `${kind}-keyed`, `${kind}-fields`];
}
