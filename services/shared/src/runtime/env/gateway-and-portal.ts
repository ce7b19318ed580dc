import { z } from "zod";
import { wholeNumber } from "./env.ts";

// Settings that gateways and the portal read.

/** Limits for requests without a key: gateways apply them, and the docs show them. */
export const KEYLESS_VARIABLES = {
  KEYLESS: z.enum(["on", "off"], "must be on or off").default("on"),
  KEYLESS_LIMIT: wholeNumber(0, 1_000_000_000).default(60),
  IPV6_LIMIT_PREFIX: wholeNumber(1, 128).default(64),
};

/** A proxy in front sends it with the identity header. */
export const OPERATOR_SECRET_HEADER = "x-operator-secret";

/** Headers with a meaning of their own, which name no operator. */
const OTHER_HEADERS = new Set(["cookie", "authorization", "host", "origin", "connection", OPERATOR_SECRET_HEADER]);

/** The header in which a proxy names the operator that it has signed in: gateways check its sender, the portal reads it. */
export const operatorHeader = () =>
  z
    .string()
    .toLowerCase()
    .refine(
      (name) => /^[a-z][a-z\d-]{0,63}$/.test(name) && !OTHER_HEADERS.has(name),
      "must be the name of a header that the proxy sets, such as X-Forwarded-Email",
    );
