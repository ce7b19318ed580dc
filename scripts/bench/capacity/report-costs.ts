import { cpus } from "node:os";
import type { Derived, Points } from "./derive-costs.ts";

export type CapacityResult = Derived & {
  /** Node's CPU time per request beside a small load, and the time until a write is on disk. */
  besideMicros: number;
  syncMicros: number;
};

/** The figures and everything that they were derived from. */
export function costsJson(result: CapacityResult, points: Points): string {
  const plain = Object.entries(points).map(([name, each]) => [
    name,
    each.map(({ yardstickMicros, costs: { micros, ...costs } }) => ({
      yardstickMicros,
      ...costs,
      micros: Object.fromEntries(micros),
    })),
  ]);
  const machine = { processors: cpus().length, model: cpus()[0]?.model, node: process.version };
  return `${JSON.stringify({ machine, ...result, points: Object.fromEntries(plain) }, null, 2)}\n`;
}

export function costsMarkdown({ yardstickMicros, besideMicros, costs, gapMs, syncMicros }: CapacityResult): string {
  const rows = Object.entries(costs).flatMap(([process, each]) =>
    Object.entries(each as Record<string, number>).map(
      ([what, micros]) => `| ${process} | ${what} | ${shown(micros)} |`,
    ),
  );
  const gaps = Object.entries(gapMs).map(([service, ms]) => `| gap | ${service} | ${shown(ms * 1_000)} |`);
  return [
    `Microseconds of CPU time. \`node-http\`: ${shown(yardstickMicros)} per request, ${shown(besideMicros)} beside small loads.`,
    "",
    "| Process | Per | µs |",
    "|---|---|---|",
    ...rows,
    ...gaps,
    `| disk | synced write | ${shown(syncMicros)} |`,
    "",
  ].join("\n");
}

function shown(value: number): string {
  return value.toPrecision(3);
}
