import type { Measured } from "./measure.ts";
import type { Overload } from "./overload.ts";
import { ratioOf, type Spread } from "./statistics.ts";

/**
 * The compared quantity: CPU time per request, requests per second, 99th percentile at half load, or requests served per
 * second at twice the load of saturation.
 */
type Measure = "cpu" | "throughput" | "p99 at half load" | "served at twice saturation";

/** A limit on a ratio. The median of all rounds counts. */
interface Goal {
  of: string;
  to: string;
  measure: Measure;
  bound: "at most" | "at least";
  value: number;
}

/** A goal and its measurements. */
export interface Outcome extends Goal {
  ratio: Spread;
  met: boolean;
}

const BARE = "express-maxmind";
const GOALS: readonly Goal[] = [
  { of: "standalone-keyed", to: "node-http", measure: "cpu", bound: "at most", value: 1.25 },
  { of: "standalone-keyless", to: "standalone-keyed", measure: "cpu", bound: "at most", value: 1.15 },
  { of: "cluster-keyed", to: BARE, measure: "cpu", bound: "at most", value: 0.5 },
  { of: "cluster-keyed", to: "echoip", measure: "cpu", bound: "at most", value: 1.15 },
  { of: "cluster-keyless", to: "cluster-keyed", measure: "cpu", bound: "at most", value: 2.2 },
  { of: "edge", to: "standalone-keyless", measure: "cpu", bound: "at most", value: 1.0 },
  { of: "cluster-keyed", to: "naive", measure: "throughput", bound: "at least", value: 5 },
  { of: "cluster-keyed", to: BARE, measure: "p99 at half load", bound: "at most", value: 1.5 },
  { of: "standalone-many-keys", to: "standalone-few-of-many", measure: "cpu", bound: "at most", value: 1.1 },
  { of: "cluster-keyed-tls", to: "cluster-keyed", measure: "cpu", bound: "at most", value: 1.1 },
];
const OVERLOAD_GOAL = { measure: "served at twice saturation", bound: "at least", value: 0.8 } as const;

/** The goals for which both sides were measured, and whether they are met. */
export function outcomesOf(measured: readonly Measured[], overload: readonly Overload[]): Outcome[] {
  const find = (name: string) => measured.find(({ contestant }) => contestant.name === name);
  const compared = GOALS.flatMap((goal) => {
    const [of, to] = [find(goal.of), find(goal.to)];
    return of && to ? [judge(goal, valuesOf(of, goal.measure), valuesOf(to, goal.measure))] : [];
  });
  const served = overload
    .filter(({ name }) => name.startsWith("cluster-"))
    .map((one) =>
      judge({ of: one.name, to: one.name, ...OVERLOAD_GOAL }, one.admittedPerSecond, one.saturationPerSecond),
    );
  return [...compared, ...served];
}

function valuesOf({ saturation, half }: Measured, measure: Measure): readonly number[] {
  if (measure === "cpu") return saturation.microsARequest;
  return measure === "throughput" ? saturation.perSecond : half.p99Ms;
}

function judge(goal: Goal, of: readonly number[], to: readonly number[]): Outcome {
  const ratio = ratioOf(of, to);
  return { ...goal, ratio, met: goal.bound === "at most" ? ratio.median <= goal.value : ratio.median >= goal.value };
}
