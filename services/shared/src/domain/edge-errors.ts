/** The HTTP status of every error code that only the edge port has. */
export const EDGE_ERROR_STATUS = { country_not_allowed: 403, invalid_edge_token: 401 } as const;

export type EdgeErrorCode = keyof typeof EDGE_ERROR_STATUS;

export const EDGE_ERROR_CODES = Object.keys(EDGE_ERROR_STATUS) as EdgeErrorCode[];

/** A request that the edge port refused. Never contains an IP address or a token. */
export type EdgeProblem =
  /** `unknown`: the location lacks something that the rules use. */
  { code: "country_not_allowed"; reason: "rule" | "unknown" } | { code: "invalid_edge_token"; wasSent: boolean };

/** The body of the edge port's refusals, in the shape of the API's errors (contract, section 7). */
export interface EdgeErrorBody {
  error: { code: EdgeErrorCode; message: string; docs: string };
}

/** @param docsUrl base address of the docs site, without a trailing slash. */
export function edgeErrorBody(problem: EdgeProblem, docsUrl: string): EdgeErrorBody {
  return { error: { code: problem.code, message: messageOf(problem), docs: `${docsUrl}/errors/${problem.code}` } };
}

function messageOf(problem: EdgeProblem): string {
  if (problem.code === "invalid_edge_token")
    return problem.wasSent
      ? "The `X-Edge-Token` header doesn't match the gateway's `EDGE_TOKEN`. Configure the proxy to send the same token."
      : "The `X-Edge-Token` header is missing, and this edge port requires it. Configure the proxy to send the gateway's `EDGE_TOKEN`.";
  return problem.reason === "unknown"
    ? "Your location is unknown, and this site doesn't accept requests from unknown locations. Ask the operator of this site for access. Operators: `EDGE_UNKNOWN=allow` accepts all of them, `EDGE_EXEMPT` the networks on a list."
    : "This site doesn't accept requests from your country or network. Ask the operator of this site for access. Operators: `EDGE_ALLOW` and `EDGE_DENY` set the rules.";
}
