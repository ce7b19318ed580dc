import { spreadOf } from "../../bench/statistics.ts";
import type { CheckLoad, Quantities, Quantity } from "./predict.ts";

/** How far the median of the rounds may be from the prediction. */
const TOLERANCE = 0.3;

/** Requests sent later than this arrive in bursts, which the model doesn't cover. */
const MAX_LATENESS_MS = 3;

/** One load: what was predicted, and what was measured in each round. */
export interface CheckedLoad {
  load: CheckLoad;
  /** Of the rounds: predictions of CPU time depend on how fast the machine was. */
  rounds: readonly { predicted: Quantities; measured: Quantities }[];
  quantities: readonly Quantity[];
  /** How late the load generator sent requests (median of the rounds). */
  latenessMs: number;
}

const NAMES: Readonly<Record<Quantity, string>> = {
  totalMicros: "CPU µs per request, all processes",
  gatewayMicros: "CPU µs per request, gateways",
  geoMicros: "CPU µs per request, geo",
  geoMessages: "Messages/s to geo",
  redisCommands: "Redis commands/s",
  natsIn: "NATS messages/s in",
  natsOut: "NATS messages/s out",
};

/** The comparison as a Markdown table, and whether all medians are within the tolerance, on a machine that wasn't too busy. */
export function compare(loads: readonly CheckedLoad[]): { text: string; isConfirmed: boolean } {
  let isConfirmed = true;
  const rows = loads.flatMap(({ load, rounds, quantities }) =>
    quantities.map((quantity) => {
      const of = (values: "predicted" | "measured") => rounds.map((round) => round[values][quantity]);
      const ratio = spreadOf(rounds.map(({ predicted, measured }) => measured[quantity] / predicted[quantity]));
      const isClose = Math.abs(ratio.median - 1) <= TOLERANCE;
      isConfirmed &&= isClose;
      const { gateways, geo, perGateway, isKeyed } = load;
      const cells = [
        `${gateways} × ${geo}`,
        `${gateways * perGateway}/s ${isKeyed ? "with a key" : "without a key"}`,
        NAMES[quantity],
        shown(spreadOf(of("predicted")).median),
        shown(spreadOf(of("measured")).median),
        `${ratio.median.toFixed(2)} (${ratio.minimum.toFixed(2)}–${ratio.maximum.toFixed(2)})${isClose ? "" : " **off**"}`,
      ];
      return `| ${cells.join(" | ")} |`;
    }),
  );
  const head = [
    "| Gateways × geo | Load | | Predicted | Measured | Measured : predicted |",
    "|---|---|---|---|---|---|",
  ];
  const latenessMs = Math.max(...loads.map((each) => each.latenessMs));
  const isQuiet = latenessMs <= MAX_LATENESS_MS;
  const late = `Inconclusive: other programs kept the machine so busy that requests were sent ${latenessMs.toFixed(0)} ms late, in bursts. Run the check again on a quiet machine.`;
  return {
    text: `${[...head, ...rows, ...(isQuiet ? [] : ["", late])].join("\n")}\n`,
    isConfirmed: isConfirmed && isQuiet,
  };
}

function shown(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString("en-US");
}
