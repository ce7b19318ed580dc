import { z } from "zod";
import { wholeNumber } from "./env.ts";

/** Limits for requests without a key: gateways apply them, and the docs show them. */
export const KEYLESS_VARIABLES = {
  KEYLESS: z.enum(["on", "off"], "must be on or off").default("on"),
  KEYLESS_LIMIT: wholeNumber(0, 1_000_000_000).default(60),
  IPV6_LIMIT_PREFIX: wholeNumber(1, 128).default(64),
};
