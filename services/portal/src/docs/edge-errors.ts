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
        cause: "`EDGE_ALLOW` doesn't include your country, continent or network, or `EDGE_DENY` includes it.",
        fix: "As the operator, change the lists. `EDGE_DENY` takes precedence over `EDGE_ALLOW`.",
      },
      {
        cause: "A VPN, a corporate proxy or a mobile network makes the request appear to come from elsewhere.",
        fix: "Turn off the VPN, or use another network.",
      },
      {
        cause:
          "The location of the address is unknown: it's in no database, or the databases can't be reached. With `EDGE_PRIVATE=deny`, private addresses are unknown, too.",
        fix: "As the operator, set `EDGE_UNKNOWN=allow` to accept such requests, or add their networks to `EDGE_EXEMPT`.",
      },
    ],
  },
  invalid_edge_token: {
    title: "Invalid edge token",
    meaning: "The edge port requires a token in the `X-Edge-Token` header, and the proxy didn't send the right one.",
    causes: [
      {
        cause: "`EDGE_TOKEN` was set or changed, and the proxy wasn't configured with it.",
        fix: "As the operator, set the header in the proxy's subrequest to the same token.",
      },
    ],
  },
};

/** A typical problem, for the example response on the code's page. */
export function edgeErrorExample(code: EdgeErrorCode): EdgeProblem {
  return code === "country_not_allowed" ? { code, reason: "rule" } : { code, wasSent: true };
}
