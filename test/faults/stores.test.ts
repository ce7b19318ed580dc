import { faultSuite } from "../harness/cluster-fault-suite.ts";

/** What stops counting, limiting and authorizing. `make test-full` runs every fault of every part. */
const CHOSEN: Readonly<Record<string, string>> = {
  "one gateway of two": "SIGKILL and restart",
  Redis: "SIGSTOP and SIGCONT",
  NATS: "SIGKILL and restart",
};

faultSuite("a fault of a gateway or a store: requests succeed, and counts match", {
  wanted: (row, kind) => CHOSEN[row] === kind,
  during: 150,
  isShared: true,
});
