import { faultSuite } from "../harness/cluster-fault-suite.ts";

/**
 * Every part once. `make test-full` runs all combinations, and black holes, which need a cluster behind proxies; to its callers,
 * a stopped process looks the same.
 */
const CHOSEN: Readonly<Record<string, readonly string[]>> = {
  "one gateway of two": ["SIGKILL and restart"],
  "one geo node of two": ["SIGSTOP and SIGCONT"],
  "geo, all nodes": ["SIGSTOP and SIGCONT"],
  auth: ["SIGSTOP and SIGCONT"],
  Redis: ["SIGSTOP and SIGCONT", "FLUSHALL"],
  NATS: ["SIGKILL and restart"],
  usage: ["SIGKILL and restart"],
};

faultSuite("a fault of each part: requests succeed, and counts match", {
  wanted: (row, kind) => CHOSEN[row]?.includes(kind) ?? false,
  during: 150,
  isShared: true,
});
