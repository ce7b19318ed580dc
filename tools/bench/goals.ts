import type { Measured } from "./measure.ts";
import { ratioOf, type Spread } from "./statistics.ts";

/** The compared quantity: CPU time per request, or the 99th percentile at half load. */
type Measure = "cpu" | "p99 at half load";

/** A limit on a ratio. The median of all rounds counts. */
interface Goal {
  of: string;
  to: string;
  measure: Measure;
  atMost: number;
}

/** A goal and its measurements. */
export interface Outcome extends Goal {
  ratio: Spread;
  met: boolean;
}

const GOALS: readonly Goal[] = [
  { of: "standalone-keyed", to: "node-http", measure: "cpu", atMost: 1.25 },
  { of: "standalone-keyless", to: "standalone-keyed", measure: "cpu", atMost: 1.15 },
  { of: "cluster-keyed", to: "express-maxmind", measure: "cpu", atMost: 0.5 },
  { of: "cluster-keyed", to: "echoip", measure: "cpu", atMost: 1.15 },
  { of: "cluster-keyless", to: "cluster-keyed", measure: "cpu", atMost: 2.2 },
  { of: "edge", to: "standalone-keyless", measure: "cpu", atMost: 1.0 },
  { of: "cluster-keyed", to: "express-maxmind", measure: "p99 at half load", atMost: 1.5 },
];

/** The goals for which both sides were measured, and whether they are met. */
export function outcomesOf(measured: readonly Measured[]): Outcome[] {
  const find = (name: string) => measured.find(({ contestant }) => contestant.name === name);
  return GOALS.flatMap((goal) => {
    const [of, to] = [find(goal.of), find(goal.to)];
    if (!of || !to) return [];
    const ratio = ratioOf(valuesOf(of, goal.measure), valuesOf(to, goal.measure));
    return [{ ...goal, ratio, met: ratio.median <= goal.atMost }];
  });
}

function valuesOf({ saturation, half }: Measured, measure: Measure): readonly number[] {
  return measure === "cpu" ? saturation.microsARequest : half.p99Ms;
}
