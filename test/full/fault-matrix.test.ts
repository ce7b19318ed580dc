import { faultSuite } from "../harness/cluster-fault-suite.ts";

/** Each lasts for some 10 s: longer than every keepalive, timeout and backoff on the way. */
faultSuite("design 7: every part, every kind of fault", { wanted: () => true, during: 2_000 });
