import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { startDebianServer } from "./debian-server.ts";
import { type PrometheusClient, prometheusClient } from "./prometheus-client.ts";
import { tempFolder } from "./temp-folder.ts";

export interface PrometheusServer extends PrometheusClient, AsyncDisposable {}

/**
 * Starts `prometheus` from PATH (Debian: package prometheus) with the product's rules and configuration, with two changes: it
 * scrapes every second, and its targets don't need DNS.
 * @param targets `host:port` of the ops ports, by job.
 * @throws Error with its output if it doesn't start.
 */
export async function startPrometheus(targets: Readonly<Record<string, readonly string[]>>): Promise<PrometheusServer> {
  const folder = tempFolder();
  const rest = { ...targets };
  const configuration = readFileSync("infra/prometheus/prometheus.yml", "utf8")
    .replaceAll(/(scrape_interval|evaluation_interval|scrape_timeout): \w+/g, "$1: 1s")
    .replaceAll(/dns_sd_configs: \[\{ names: \[(\w+)\], .*\}\]/g, (_, job: string) => {
      const found = rest[job];
      if (!found) throw new Error(`prometheus.yml scrapes ${job}, which the test does not run`);
      delete rest[job];
      return `static_configs: [{ targets: ${JSON.stringify(found)} }]`;
    });
  if (Object.keys(rest).length > 0) throw new Error(`prometheus.yml does not scrape ${Object.keys(rest)}`);
  writeFileSync(join(folder, "prometheus.yml"), configuration);
  cpSync("infra/prometheus/alerts.yml", join(folder, "alerts.yml"));

  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  const end = await startDebianServer({
    program: "prometheus",
    args: [
      `--config.file=${join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    isReady,
  });
  return { ...prometheusClient(url), [Symbol.asyncDispose]: () => end("SIGTERM") };
}
