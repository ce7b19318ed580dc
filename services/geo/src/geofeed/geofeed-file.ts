import { watchFiles } from "@geolookup/shared/runtime/files/watch-files.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { Counter, Gauge, type Registry } from "prom-client";
import { readWhole } from "../databases/whole-file.ts";
import { type Geofeed, GeofeedError, type LineProblem } from "./geofeed.ts";
import { readGeofeed } from "./read-geofeed.ts";

const MAX_BYTES = 100_000_000;
/** More go to `make geofeed-check`, not to the log. */
const LOGGED_PROBLEMS = 20;

/**
 * Reads a geofeed file.
 * @param onProblem called for each problem, in the order of the lines.
 * @returns the geofeed, and the signature of its file.
 * @throws StartError that names the file and says what to do, if the file as a whole can't be used.
 */
export async function readGeofeedFile(
  path: string,
  onProblem: (problem: LineProblem) => void,
): Promise<{ geofeed: Geofeed; signature: string }> {
  try {
    const whole = await readWhole(path, MAX_BYTES);
    if (whole === null) throw new GeofeedError("it is being written right now");
    return { geofeed: await readGeofeed(whole.bytes, onProblem), signature: whole.signature };
  } catch (error) {
    throw new StartError(describe(path, error as NodeJS.ErrnoException));
  }
}

function describe(path: string, error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT")
    return `the geofeed file ${path} is missing; create it (it may be empty) or unset GEOFEED_FILE`;
  if (error.code === "EISDIR") return `the geofeed file ${path} is a folder; set GEOFEED_FILE to a file in it`;
  if (error instanceof GeofeedError) return `the geofeed file ${path} cannot be used: ${error.message}`;
  return `the geofeed file ${path} cannot be read: ${error.message}`;
}

export interface OpenedGeofeed {
  /** The corrections in use. */
  current(): Geofeed;
  /** Checks the file once, and reloads it if it has changed and can be used. */
  poll(): Promise<void>;
}

/**
 * Opens a geofeed file and follows its changes. Bad lines are logged and skipped. If the file is deleted or can't be used
 * as a whole, the old corrections stay in use.
 * @param options.onChange called when `current` has been replaced.
 * @throws StartError if the file can't be used now.
 */
export async function openGeofeed(options: {
  path: string;
  log: Logger;
  registry: Registry;
  onChange: () => void;
}): Promise<OpenedGeofeed> {
  const { path, log, onChange } = options;
  const metrics = createMetrics(options.registry);
  let current: Geofeed;
  const read = async () => {
    let skippedLines = 0;
    const problems: string[] = [];
    const { geofeed, signature } = await readGeofeedFile(path, (problem) => {
      if (problem.skipped) skippedLines++;
      if (problems.length < LOGGED_PROBLEMS) problems.push(problemText(problem));
    });
    return { geofeed, signature, skippedLines, problems };
  };
  const use = ({ geofeed, skippedLines, problems }: Awaited<ReturnType<typeof read>>) => {
    current = geofeed;
    metrics.prefixes.set(current.prefixes);
    metrics.skippedLines.set(skippedLines);
    metrics.loadedAt.setToCurrentTime();
    log.info({ file: path, prefixes: current.prefixes, skippedLines }, "the geofeed is in use");
    if (problems.length > 0)
      log.warn({ file: path, skippedLines, problems }, "the geofeed has bad lines; make geofeed-check lists them all");
  };
  const first = await read();
  use(first);
  const poll = watchFiles({
    paths: [path],
    signature: first.signature,
    read,
    use: (content) => {
      use(content);
      onChange();
    },
    onMissing: () => log.warn({ file: path }, "the geofeed file is gone; its corrections stay in use"),
    onRefused: ({ message }) =>
      log.error({ file: path, problem: message }, "the changed geofeed was refused; the old corrections stay in use"),
  });
  return {
    current: () => current,
    poll: async () => {
      const result = await poll();
      if (result === "unchanged") return;
      metrics.reloads.inc({ result });
      metrics.refused.set(result === "reloaded" ? 0 : 1);
    },
  };
}

/** A problem as one line for an operator. */
export function problemText({ line, text, skipped }: LineProblem): string {
  return `line ${line}${skipped ? "" : " (applies)"}: ${text}`;
}

function createMetrics(registry: Registry) {
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name: `geolookup_geo_geofeed_${name}`, help, registers });
  return {
    prefixes: gauge("prefixes", "Prefixes in the operator's geofeed."),
    skippedLines: gauge("skipped_lines", "Lines of the geofeed that were skipped because of a mistake."),
    refused: gauge("refused", "1 while the geofeed file is refused or missing and older corrections are in use."),
    loadedAt: gauge("loaded_timestamp_seconds", "When the geofeed in use was read, Unix seconds."),
    reloads: new Counter({
      name: "geolookup_geo_geofeed_reloads_total",
      help: "Changes of the geofeed file, by result.",
      labelNames: ["result"],
      registers,
    }),
  };
}
