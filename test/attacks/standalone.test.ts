import { attackSuite } from "./harness/attack-suite.ts";

/** One of each kind that costs a small attacker little. test/full runs all, at full strength, and on a cluster. */
const INCLUDED = ["never-reading-24", "bad-requests", "unknown-keys", "slow-headers", "overload"];

attackSuite("attacks on a standalone", { way: "standalone", isTls: false, isBehindHaproxy: false }, (name) =>
  INCLUDED.includes(name),
);
