import { echo } from "./echo.ts";
import type { Problem } from "./errors.ts";
import { HOW_TO_SEND, SET_PLAN } from "./message-advice.ts";

/** The message for an exceeded limit or quota. */
export function limitMessage(problem: Problem & { code: "rate_limited" | "quota_exceeded" }): string {
  if (problem.code === "rate_limited") return rateLimited(problem);
  if (problem.limit === 0)
    return (
      `The plan \`${problem.plan}\` of the key ${echo(problem.display)} includes no requests. ` +
      `Ask the operator of this API for another plan. Operators: ${SET_PLAN}.`
    );
  return (
    `The key ${echo(problem.display)} has used all ${problem.limit} requests that its plan \`${problem.plan}\` ` +
    `includes this month. Wait until ${utc(problem.resetUnixSeconds)}, or ask the operator of this API for a larger plan. ` +
    `Operators: ${SET_PLAN}.`
  );
}

function rateLimited(problem: Problem & { code: "rate_limited" }): string {
  const { limit, resetUnixSeconds } = problem;
  switch (problem.exceeded) {
    case "keyless_hourly": {
      if (limit === 0)
        return `This API requires a key. Send one ${HOW_TO_SEND}. If you have none, ask the operator of this API.`;
      const requests = limit === 1 ? "the one keyless request" : `all ${limit} keyless requests`;
      return (
        `Your IP address has used ${requests} for this hour. ` +
        `Wait until ${utc(resetUnixSeconds)}, or send an API key ${HOW_TO_SEND}. The operator of this API issues keys.`
      );
    }
    case "caller_hourly":
      return (
        `Your IP address has reached the limit of ${counted(limit)} per hour that the plan \`${problem.plan}\` sets for ` +
        `each caller of the key ${echo(problem.display)}. Wait until ${utc(resetUnixSeconds)}, and reuse each response ` +
        `for 300 seconds. Operators: raise \`perCallerHourly\` in the plans file, or ${SET_PLAN}.`
      );
    case "per_second": {
      const burst = problem.burst === limit ? "" : ` (bursts of ${problem.burst})`;
      return (
        `The key ${echo(problem.display)} has exceeded ${counted(limit)} per second${burst}, the limit of its plan ` +
        `\`${problem.plan}\` for all callers combined. Retry after the number of seconds in \`Retry-After\`, and spread ` +
        `out your requests. Operators: raise \`perSecond\` or \`burst\` in the plans file, or ${SET_PLAN}.`
      );
    }
  }
}

function counted(requests: number): string {
  return requests === 1 ? "1 request" : `${requests} requests`;
}

function utc(unixSeconds: number): string {
  return `${new Date(unixSeconds * 1000).toISOString().replace(".000Z", "Z")} (Unix time ${unixSeconds})`;
}
