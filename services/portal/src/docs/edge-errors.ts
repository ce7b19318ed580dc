import type { ErrorEntry } from "@geolookup/shared/domain/catalog.ts";
import type { EdgeErrorCode, EdgeProblem } from "@geolookup/shared/domain/edge-errors.ts";

/** The documentation of the error codes that only the edge port has. */
export const EDGE_ERROR_PROSE: Readonly<Record<EdgeErrorCode, Omit<ErrorEntry, "status">>> = {
  country_not_allowed: {
    title: "Country not allowed",
    meaning:
      "A site behind a proxy accepts only some countries, continents or networks, and the request came from another one. " +
      "The operator of the site sets these rules.",
    causes: [
      {
        cause: "The site's rules don't accept your country, continent or network.",
        fix: "Ask the operator of the site for access.",
      },
      {
        cause: "A VPN, a corporate proxy or a mobile network makes the request appear to come from elsewhere.",
        fix: "Turn off the VPN, or use another network.",
      },
      {
        cause: "The location of your address is unknown.",
        fix: "Use another network, or ask the operator of the site for access.",
      },
    ],
    operators: "Change `EDGE_ALLOW`, `EDGE_DENY`, `EDGE_UNKNOWN`, `EDGE_PRIVATE` or `EDGE_EXEMPT`.",
  },
  invalid_edge_token: {
    title: "Invalid edge token",
    meaning: "The edge port requires a token in the `X-Edge-Token` header, and the proxy didn't send the right one.",
    causes: [
      {
        cause: "The token was set or changed, and the proxy wasn't configured with it.",
        fix: "Set the header in the proxy's subrequest to the gateway's `EDGE_TOKEN`.",
      },
    ],
  },
};

/** A typical problem, for the example response on the code's page. */
export function edgeErrorExample(code: EdgeErrorCode): EdgeProblem {
  return code === "country_not_allowed" ? { code, reason: "rule" } : { code, wasSent: true };
}
