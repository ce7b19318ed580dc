import { attackSuite } from "./harness/attack-suite.ts";

/** Attacks that need separate services. */
const CLUSTER_ONLY = ["grpc-batches", "grpc-streams"];
/** Takes 15 s. test/attacks/docs-host.test.ts has the same attack, with fewer forms. */
const FULL_ONLY = ["slow-forms"];
// A database that is decoded without bounds crashes the process, not the machine.
const settings = { NODE_OPTIONS: "--max-old-space-size=512" };

attackSuite(
  "attacks on a standalone",
  { way: "standalone", isTls: false, isBehindHaproxy: false, settings },
  (name) => ![...CLUSTER_ONLY, ...FULL_ONLY].includes(name),
);
