import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startCluster } from "../harness/cluster.ts";
import { registerSuitesFor } from "../harness/suite.ts";

const CONTRACT = join(import.meta.dirname, "../contract");

// The third way to run the product, in addition to those of `make test`: a process of each service, with files and memory.
registerSuitesFor([
  "processes on embedded stores",
  (settings) => startCluster({ STORES: "embedded", GATEWAYS: "1", AUTH: "1", GEO: "1", USAGE: "1", ...settings }),
]);

for (const name of readdirSync(CONTRACT).filter((file) => file.endsWith(".test.ts"))) {
  const path = join(CONTRACT, name);
  // The other suites start their own deployments, so they would only be repeated.
  if (readFileSync(path, "utf8").includes("harness/suite.ts")) await import(pathToFileURL(path).href);
}
