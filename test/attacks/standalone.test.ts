import { attackSuite } from "./attack-suite.ts";

/** Attacks that need separate services. */
const CLUSTER_ONLY = ["grpc-batches", "grpc-streams"];
const OVER_TLS = ["never-reading-24"];
// A database that is decoded without bounds crashes the process, not the machine.
const settings = { NODE_OPTIONS: "--max-old-space-size=512" };

attackSuite(
  "attacks on a standalone",
  { way: "standalone", isTls: false, isBehindHaproxy: false, settings },
  (name) => !CLUSTER_ONLY.includes(name),
);

attackSuite(
  "attacks on a standalone over TLS",
  { way: "standalone", isTls: true, isBehindHaproxy: false, settings },
  (name) => OVER_TLS.includes(name),
);
