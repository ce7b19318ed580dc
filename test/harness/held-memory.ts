import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isRunning } from "@geolookup/shared/runtime/files/service-record.ts";
import { waitFor } from "./wait-for.ts";

/** Collecting a heap of a gigabyte takes seconds on a busy machine. */
const REPORT_TIMEOUT_MS = 60_000;

/** The memory of a process after garbage collection, including its databases. */
export interface HeldMemory {
  /** The service that it runs, e.g. `gateway`. */
  service: string;
  /** On the heap and in buffers. */
  heldBytes: number;
  residentBytes: number;
}

/** The environment of processes whose memory is measured. @param folder an empty one for their reports. */
export function measuredEnvironment(folder: string): Record<string, string> {
  const hook = new URL("memory-hook.ts", import.meta.url).href;
  return { NODE_OPTIONS: `--import=${hook}`, MEMORY_REPORTS: folder };
}

/** Measures every running service that was started with that environment. */
export async function heldMemory(folder: string): Promise<HeldMemory[]> {
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), "utf8"));
  const started = readdirSync(folder)
    .filter((file) => file.endsWith(".started.json"))
    .map((file) => read(file) as { pid: number; script: string })
    .flatMap(({ pid, script }) => {
      const [, service] = /services\/([^/]+)\//.exec(script) ?? [];
      return service !== undefined && isRunning({ pid }) ? [{ pid, service }] : [];
    });
  return Promise.all(
    started.map(async ({ pid, service }) => {
      const file = `${pid}.held.json`;
      rmSync(join(folder, file), { force: true });
      process.kill(pid, "SIGUSR2");
      await waitFor(`${service} to report its memory`, () => existsSync(join(folder, file)), REPORT_TIMEOUT_MS);
      return { service, ...read(file) };
    }),
  );
}
