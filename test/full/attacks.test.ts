import { attackSuite } from "../attacks/harness/attack-suite.ts";

/** Attacks that reach the gateway through HAProxy. */
const THROUGH_HAPROXY = [
  "never-reading-24",
  "slow-forms",
  "broken-followers",
  "slow-headers",
  "slow-bodies",
  "overload",
];

/** Attacks on what differs over TLS: responses that aren't read. services/gateway tests smaller ones. */
const OVER_TLS = ["never-reading-24"];

attackSuite("attacks on a standalone over TLS", { way: "standalone", isTls: true, isBehindHaproxy: false }, (name) =>
  OVER_TLS.includes(name),
);

for (const isTls of [false, true])
  attackSuite(
    `attacks on a standalone behind HAProxy${isTls ? " over TLS" : ""}`,
    { way: "standalone", isTls, isBehindHaproxy: true },
    (name) => THROUGH_HAPROXY.includes(name),
  );

attackSuite("attacks on a cluster", { way: "cluster", isTls: false, isBehindHaproxy: false }, () => true);

// A database that is decoded without bounds crashes the process, not the machine.
const settings = { NODE_OPTIONS: "--max-old-space-size=512" };
/** What needs a cluster, and what the suite above runs just as strong. */
const NOT_FULL = ["grpc-batches", "grpc-streams", "console-tokens"];

attackSuite(
  "attacks at full strength on a standalone",
  { way: "standalone", isTls: false, isBehindHaproxy: false, settings },
  (name) => !NOT_FULL.includes(name),
  "full",
);
