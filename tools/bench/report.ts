import { cpus } from "node:os";
import type { RecordableHistogram } from "node:perf_hooks";
import { type Outcome, outcomesOf } from "./goals.ts";
import type { Measured } from "./measure.ts";
import { type Spread, spreadOf } from "./statistics.ts";

/** The percentiles that are shown. */
const PERCENTILES = [50, 99, 99.9];

/** @returns a run's result as Markdown. @param notes the skipped contestants, with the reasons. */
export function asMarkdown(measured: readonly Measured[], notes: readonly string[]): string {
  const failed = measured.filter(({ problems }) => problems.length > 0);
  const parts = [
    `Measured on ${new Date().toISOString().slice(0, 10)}, on ${cpus().length} × ${cpus()[0]?.model}, ` +
      `Node ${process.version}. Load generator and contestants share the machine. ${calm(measured)}`,
    ...notes,
    ...failed.map(
      ({ contestant: { name }, problems }) =>
        `**${name} didn't respond to all requests with 200:** ${problems.join(", ")}`,
    ),
    contestantTable(measured),
    "Times are milliseconds: 50th, 99th, 99.9th percentile.",
    serviceTable(measured),
    goalTable(outcomesOf(measured)),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n\n`;
}

/** Other load affects ratios a little, and percentiles a lot. */
function calm(measured: readonly Measured[]): string {
  const { median, maximum } = spreadOf(measured.flatMap(({ othersShare }) => othersShare));
  const percent = (part: number) => `${Math.round(100 * part)} %`;
  return `Other processes used ${percent(median)} of its CPU time (${percent(maximum)} in the worst round).`;
}

function contestantTable(measured: readonly Measured[]): string {
  const rows = measured.map(({ contestant: { name, pids }, saturation, half, peakBytes }) => [
    name,
    `${pids.length}`,
    count(spreadOf(saturation.perSecond).median),
    spread(spreadOf(saturation.microsARequest), 1),
    percentiles(saturation.latency),
    count(half.perSecond),
    percentiles(half.latency),
    (peakBytes / 1e6).toFixed(0),
    spreadOf(saturation.generatorMicros).median.toFixed(1),
  ]);
  const head = ["", "processes", "requests/s", "CPU µs a request", "ms, saturated", "half load/s", "ms, half load"];
  return table([...head, "peak MB", "generator µs"], rows);
}

/** The CPU time of a cluster's request by service: medians of the rounds. Empty without clusters. */
function serviceTable(measured: readonly Measured[]): string {
  const clusters = measured.filter(({ contestant }) => contestant.services);
  const names = [...new Set(clusters.flatMap(({ contestant }) => contestant.services ?? []))];
  const rows = clusters.map(({ contestant: { name, services = [] }, saturation: { processMicros } }) => {
    const median = (index: number) => spreadOf(processMicros.map((round) => round[index] ?? 0)).median;
    return [name, ...names.map((service) => median(services.indexOf(service)).toFixed(1))];
  });
  return rows.length === 0 ? "" : table(["CPU µs a request", ...names], rows);
}

function goalTable(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ of, to, measure, atMost, ratio, met }) => [
    `${of} : ${to}`,
    measure,
    spread(ratio, 2),
    `at most ${atMost}`,
    met ? "yes" : "**no**",
  ]);
  return table(["ratio", "of", "median (lowest–highest round)", "goal", "met"], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function spread({ median, minimum, maximum }: Spread, digits: number): string {
  return `${median.toFixed(digits)} (${minimum.toFixed(digits)}–${maximum.toFixed(digits)})`;
}

function percentiles(latency: RecordableHistogram): string {
  return PERCENTILES.map((percentile) => (latency.percentile(percentile) / 1_000).toFixed(2)).join(" / ");
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}
