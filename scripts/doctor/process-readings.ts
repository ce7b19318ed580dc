import { askOpsPort } from "@geolookup/shared/runtime/http/ops-ports.ts";
import { parseSamples, type Reading, readingsOf } from "@geolookup/shared/runtime/observability/readings.ts";

/** Far larger than a service's metrics. */
const LIMITS = { timeoutMs: 3_000, maxBytes: 16 * 1_024 * 1_024 };

/** Reads what a process reports on its ops port.
 * @param node `host:port`.
 */
export async function lookAtProcess(
  node: string,
): Promise<{ isResponding: boolean; version?: string; title: Reading; readings: Reading[] }> {
  try {
    const [ready, metrics] = await Promise.all([
      askOpsPort(node, "/readyz", LIMITS),
      askOpsPort(node, "/metrics", LIMITS),
    ]);
    const samples = parseSamples(metrics.text);
    const labelsOf = (name: string) => samples.find((sample) => sample.name === name)?.labels;
    if (!samples.some(({ name }) => name.startsWith("geolookup_")))
      throw new Error("another program listens there, not geolookup");
    const version = labelsOf("geolookup_build_info")?.version ?? "unknown version";
    const startedSeconds = samples.find(({ name }) => name === "process_start_time_seconds")?.value;
    const up =
      startedSeconds === undefined ? "" : `, up since ${new Date(startedSeconds * 1000).toISOString().slice(0, 19)}Z`;
    const runs = `${version}, Node ${labelsOf("nodejs_version_info")?.version ?? "unknown"}${up}`;
    const readings = readingsOf(samples, Date.now() / 1000);
    const isReady = ready.status === 200;
    return {
      isResponding: true,
      version,
      title: { text: `${isReady ? "ready" : "NOT READY"}, ${runs}`, bad: !isReady },
      readings,
    };
  } catch (error) {
    const { message, cause } = error as Error;
    const isLate = (error as Error).name === "TimeoutError";
    const reason = isLate
      ? `no response for ${LIMITS.timeoutMs / 1_000} s`
      : (cause as Error | undefined)?.message || message;
    return { isResponding: false, title: { text: `NOT RESPONDING: ${reason}`, bad: true }, readings: [] };
  }
}
