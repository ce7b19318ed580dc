import { faultSuite } from "../harness/cluster-fault-suite.ts";

/** Each lasts for about 10 s: longer than every keepalive, timeout and backoff on the way. */
faultSuite("every kind of fault of every part", { wanted: () => true, during: 2_000 });
