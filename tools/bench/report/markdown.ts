import { cpus } from "node:os";
import type { Outcome } from "../goals.ts";
import type { Histogram } from "../load/histogram.ts";
import type { Overload } from "../overload.ts";
import { ratioOf, type Spread, spreadOf } from "../statistics.ts";
import { type BenchResult, PERCENTILES } from "./result.ts";

/** A run's result as Markdown. */
export function asMarkdown(result: BenchResult): string {
  const { startedAt, seconds, notes, measured, outcomes, overload } = result;
  const failed = measured.filter(({ problems }) => problems.length > 0);
  const parts = [
    `Measured on ${startedAt.toISOString().slice(0, 10)} in ${seconds} s, on ${cpus().length} × ${cpus()[0]?.model}, ` +
      `Node ${process.version}. Load generator and contestants share the machine. ${calm(measured)}`,
    ...notes,
    ...failed.map(
      ({ contestant: { name }, problems }) =>
        `**${name} didn't respond to all requests with 200:** ${problems.join(", ")}`,
    ),
    contestantTable(result),
    "Times are milliseconds: 50th, 99th, 99.9th percentile.",
    serviceTable(result),
    goalTable(outcomes),
    overload.length > 0 ? overloadTable(overload) : "",
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n\n`;
}

/** Other load affects ratios a little, and percentiles a lot. */
function calm(measured: BenchResult["measured"]): string {
  const { median, maximum } = spreadOf(measured.flatMap(({ othersShare }) => othersShare));
  const percent = (part: number) => `${Math.round(100 * part)} %`;
  return `Other processes used ${percent(median)} of its CPU time (${percent(maximum)} in the worst round).`;
}

function contestantTable({ measured, peakBytes }: BenchResult): string {
  const rows = measured.map(({ contestant: { name, pids }, saturation, half }) => [
    name,
    `${pids.length}`,
    count(spreadOf(saturation.perSecond).median),
    spread(spreadOf(saturation.microsARequest), 1),
    percentiles(saturation.latency),
    count(half.perSecond),
    percentiles(half.latency),
    megabytes(peakBytes.get(name) ?? Number.NaN),
    spreadOf(saturation.generatorMicros).median.toFixed(1),
  ]);
  const head = ["", "processes", "requests/s", "CPU µs a request", "ms, saturated", "half load/s", "ms, half load"];
  return table([...head, "peak MB", "generator µs"], rows);
}

/** The CPU time of a cluster's request by service: medians of the rounds. Empty without clusters. */
function serviceTable({ measured }: BenchResult): string {
  const clusters = measured.filter(({ contestant }) => contestant.services);
  const names = [...new Set(clusters.flatMap(({ contestant }) => contestant.services ?? []))];
  const rows = clusters.map(({ contestant: { name, services = [] }, saturation: { processMicros } }) => {
    const median = (index: number) => spreadOf(processMicros.map((round) => round[index] ?? 0)).median;
    return [name, ...names.map((service) => oneDigit(median(services.indexOf(service))))];
  });
  return rows.length === 0 ? "" : table(["CPU µs a request", ...names], rows);
}

function goalTable(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ of, to, measure, bound, value, ratio, met }) => [
    `${of} : ${to}`,
    measure,
    spread(ratio, 2),
    `${bound} ${value}`,
    met ? "yes" : "**no**",
  ]);
  return table(["ratio", "of", "median (lowest–highest round)", "goal", "met"], rows);
}

function overloadTable(overload: readonly Overload[]): string {
  const rows = overload.map((one) => [
    one.name,
    perSecond(one.offeredPerSecond),
    perSecond(one.admittedPerSecond),
    spread(ratioOf(one.admittedPerSecond, one.saturationPerSecond), 2),
    perSecond(one.refusedPerSecond),
    `${one.unsent}`,
    percentiles(one.admitted),
    one.refused.count === 0 ? "" : percentiles(one.refused),
    oneDigit(spreadOf(one.microsAResponse).median),
    `${megabytes(one.bytesBefore)} → ${megabytes(one.bytesAfter)} (peak ${megabytes(one.bytesPeak)})`,
    Object.entries({ ...one.statuses, ...one.failures })
      .map(([what, times]) => `${times} × ${what}`)
      .join(", "),
  ]);
  const head = ["at twice saturation", "offered/s", "admitted/s", "of saturation"];
  const rest = ["refused/s", "unsent", "ms, admitted", "ms, refused", "CPU µs a response", "MB", "responses"];
  return table([...head, ...rest], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function spread({ median, minimum, maximum }: Spread, digits: number): string {
  return `${median.toFixed(digits)} (${minimum.toFixed(digits)}–${maximum.toFixed(digits)})`;
}

function percentiles(latency: Histogram): string {
  return PERCENTILES.map((percentile) => latency.percentileMs(percentile).toFixed(2)).join(" / ");
}

function oneDigit(value: number): string {
  return value.toFixed(1);
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function perSecond(values: readonly number[]): string {
  return count(spreadOf(values).median);
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(0);
}
