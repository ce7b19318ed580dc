import { send } from "../../harness/http.ts";

const SAMPLE = /^(\w+)(?:\{(.*)\})? (\S+)$/;
const SERVICE = /"service":"([\w-]+)"/;

/** The metrics of a target's processes, added up by service. */
export interface Readings {
  /** Processor seconds so far. */
  cpuSeconds: ReadonlyMap<string, number>;
  /** Responses so far by error code, or `ok`. */
  responses: ReadonlyMap<string, number>;
}

/** @throws Error if an ops port doesn't respond within 10 s. */
export async function readMetrics(opsUrls: readonly string[]): Promise<Readings> {
  const cpuSeconds = new Map<string, number>();
  const responses = new Map<string, number>();
  const add = (sums: Map<string, number>, name: string, value: number) => sums.set(name, (sums.get(name) ?? 0) + value);
  for (const url of opsUrls) {
    const service = SERVICE.exec((await send(url, { path: "/status" })).text)?.[1] ?? url;
    for (const line of (await send(url, { path: "/metrics" })).text.split("\n")) {
      const [, name, labels = "", value] = SAMPLE.exec(line) ?? [];
      if (name === "process_cpu_seconds_total") add(cpuSeconds, service, Number(value));
      const code = /\bcode="(\w+)"/.exec(labels)?.[1];
      if (name === "geolookup_requests_total" && code !== undefined) add(responses, code, Number(value));
    }
  }
  return { cpuSeconds, responses };
}
