import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { expect } from "chai";
import { readConfig } from "./config.ts";

const ADMIN_TOKEN = "a-token-of-some-length";

describe("readConfig of auth", () => {
  for (const [what, environment, message] of [
    ["an admin token", {}, /ADMIN_TOKEN: is required/],
    ["a token file that exists", { ADMIN_TOKEN_FILE: "/nonexistent/token" }, /ADMIN_TOKEN_FILE: cannot read/],
    ["valid ports, and names both", { PORT: "x", OPS_PORT: "70000", ADMIN_TOKEN }, /PORT: .*\n.*OPS_PORT: /],
    [
      "NATS_URL and SIGNING_KEYS_FILE in a cluster, and names both",
      { STORES: "cluster", ADMIN_TOKEN },
      /NATS_URL: is required with STORES=cluster\n.*SIGNING_KEYS_FILE: is required with STORES=cluster/,
    ],
  ] as const)
    it(`requires ${what}`, () => expect(() => readConfig(environment)).to.throw(StartError, message));
});
