import { faultSuite } from "../harness/cluster-fault-suite.ts";

/** Every part once, every kind of fault at least twice; `make test-full` runs all combinations. */
const CHOSEN: Readonly<Record<string, readonly string[]>> = {
  "one gateway of two": ["SIGKILL and restart"],
  "one geo node of two": ["black-holed"],
  "geo, all nodes": ["SIGSTOP and SIGCONT"],
  auth: ["SIGSTOP and SIGCONT"],
  Redis: ["black-holed", "FLUSHALL"],
  NATS: ["SIGKILL and restart"],
  usage: ["SIGKILL and restart"],
};

faultSuite("a fault of each part: requests succeed, and counts match", {
  wanted: (row, kind) => CHOSEN[row]?.includes(kind) ?? false,
  during: 300,
  isShared: true,
});
