import { attackSuite } from "../attacks/attack-suite.ts";

/** Attacks that reach the gateway through HAProxy. */
const THROUGH_HAPROXY = [
  "never-reading-24",
  "slow-forms",
  "broken-followers",
  "slow-headers",
  "slow-bodies",
  "overload",
];

for (const isTls of [false, true])
  attackSuite(
    `attacks on a standalone behind HAProxy${isTls ? " over TLS" : ""}`,
    { way: "standalone", isTls, isBehindHaproxy: true },
    (name) => THROUGH_HAPROXY.includes(name),
  );

attackSuite("attacks on a cluster", { way: "cluster", isTls: false, isBehindHaproxy: false }, () => true);
