import { spreadOf } from "../statistics.ts";

/** The minimum share of refusals among the responses of the server that refuses. */
const MIN_REFUSED_SHARE = 0.95;

/** What a server did in all rounds. */
export interface RefusalsResult {
  name: string;
  /** CPU time per response, one value per round. It includes opening the connections. */
  microsPerResponse: readonly number[];
  /** Responses by status, and connections that ended by reason. */
  outcomes: Readonly<Record<string, number>>;
}

/** Whether one server refused nearly all requests, and the others responded to all of them with 200. */
export function refusedOnly(refusing: string, results: readonly RefusalsResult[]): boolean {
  return results.every(({ name, outcomes }) => {
    const { 200: served = 0, 500: refused = 0, ...others } = outcomes;
    if (Object.keys(others).length > 0) return false;
    return name === refusing ? refused > MIN_REFUSED_SHARE * (served + refused) : served > 0 && refused === 0;
  });
}

export function asMarkdown(results: readonly RefusalsResult[]): string {
  const lines = results.map(({ name, microsPerResponse, outcomes }) => {
    const { median, minimum, maximum } = spreadOf(microsPerResponse);
    const counts = Object.entries(outcomes).map(([outcome, count]) => `${count} × ${outcome}`);
    return `| ${name} | ${median.toFixed(1)} (${minimum.toFixed(1)}–${maximum.toFixed(1)}) | ${counts.join(", ")} |`;
  });
  return ["| | CPU µs per response, median (lowest–highest) | Responses |", "|---|---|---|", ...lines, ""].join("\n");
}
